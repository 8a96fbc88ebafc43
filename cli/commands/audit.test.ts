import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../tests/support/google.ts';
import { openAsOwner } from '../../tests/support/owner-database.ts';
import type { TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');

let server: TestServer;
let close: () => Promise<void>;
let folder: string;
beforeAll(async () => {
  const { google, ...started } = await startServerWithGoogle();
  ({ server, close } = started);
  folder = await mkdtemp(join(tmpdir(), 'thalamus-audit-'));
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  const input = { to: ['noah@example.com'], subject: 'Audited', body: 'Hello.' };
  await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input });
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: folder, THALAMUS_URL: server.url, THALAMUS_KEY: server.key };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'audit', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('the command reports an intact record and stores its head in a file', async () => {
  await expect.poll(async () => (await server.ok('verify_ledger'))['seals']).toBeGreaterThan(0);
  const head = join(folder, 'head.json');
  expect(await run('verify', '--head', head)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Whole: 1 step of 1 draft[\s\S]*did not exist, so nothing was compared/),
  });
  expect(JSON.parse(await readFile(head, 'utf8'))).toEqual({ seal: expect.any(Number), mac: expect.any(String) });
  expect(await run('verify', '--head', head)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Compared with the seal in ${head}`),
  });
  await writeFile(head, JSON.stringify({ seal: 1, mac: 'f'.repeat(64) }));
  const other = await run('verify', '--head', head);
  expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('differs from the head you gave') });
  await writeFile(head, 'nonsense');
  expect(await run('verify', '--head', head)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a ledger head'),
  });
});

test('the export writes every step as one line', async () => {
  const { code, stdout, stderr } = await run('export');
  expect(code).toBe(0);
  const kinds = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds).toEqual(expect.arrayContaining(['step', 'seal']));
  expect(stderr).toBe(`${kinds.length} lines.\n`);
});

test('the command exits with 1 for a changed record and names the change', async () => {
  const database = await openAsOwner(server.connectionString);
  await database.rows('alter table draft_ledger disable trigger seal_once'); // as the owner of the database can
  await database.rows(`update draft_ledger set detail = '{}'`);
  await database.close();
  expect(await run('verify')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^NOT WHOLE:\nDraft [0-9a-f-]+: row 1/),
  });
});
