import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../tests/support/google.ts';
import type { TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let folder: string;
vi.setConfig({ testTimeout: 60_000 }); // each command is a separate process
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-inbox-'));
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

function run(args: string[], key = server.key): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: folder, THALAMUS_URL: server.url, THALAMUS_KEY: key };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, 'inbox', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

async function createMailDraft(subject: string, body = 'Hello.'): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body };
  const answer = await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input });
  return String(answer['draft_id']);
}
const listSentSubjects = () => google.ledger.sent().map(({ subject }) => subject);

test('a pending draft is listed, shown whole, approved and declined', async () => {
  const [yes, no] = [await createMailDraft('Approved here'), await createMailDraft('Declined here')];
  const listed = await run([]);
  expect(listed.stdout).toMatch(new RegExp(`^${no}  .*ada@example.com.*\n${yes}  `));
  expect(listed.stderr).toBe('2 of 2 that wait.\n');
  const shown = await run(['show', yes]);
  expect(shown.stdout).toContain('Subject: Approved here\n');
  expect(shown.stdout).toContain(`${yes}  pending until `);
  expect(await run(['approve', yes])).toMatchObject({ code: 0, stdout: `${yes}  confirmed\n` });
  expect(await run(['decline', no])).toMatchObject({ code: 0, stdout: `${no}  discarded\n` });
  expect(listSentSubjects()).toEqual(['Approved here']);
  expect(await run(['approve', yes]), 'twice is the same as once').toMatchObject({ code: 0 });
  expect(listSentSubjects()).toEqual(['Approved here']);
  expect(await run(['approve', no])).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was sent') });
  expect((await run([])).stderr).toBe('No drafts wait for you.\n');
});

test('an edited draft is approved by its shown content, not by its id alone', async () => {
  const id = await createMailDraft('To be edited');
  await server.ok('edit_action', { draft_id: id, edits: { subject: 'Edited elsewhere' } });
  expect(await run(['approve', id])).toMatchObject({ code: 1, stdout: expect.stringContaining('edited this draft') });
  const { stdout } = await run(['show', id]);
  const [, approved = ''] = /Approve it as (\S+)/.exec(stdout) ?? [];
  expect(await run(['approve', approved])).toMatchObject({ code: 0, stdout: `${id}  confirmed\n` });
  expect(listSentSubjects()).toContain('Edited elsewhere');
});

test('a send with an unknown outcome is not a success', async () => {
  const id = await createMailDraft('Nobody knows');
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  expect(await run(['approve', id])).toMatchObject({ code: 1, stdout: expect.stringContaining(`${id}  ambiguous`) });
  google.failures.clear();
});

test('an ambiguous draft is listed first, with what to do', async () => {
  google.failures.next({ method: 'POST', path: /drafts\/send/ }, { kind: 'cut', when: 'after' });
  google.failures.next({ method: 'GET', path: /^\/gmail.*\/drafts/ }, { kind: 'status', status: 503 }, 1_000);
  const id = await createMailDraft('Nobody knows yet');
  await run(['approve', id]);
  const listed = await run([]);
  expect(listed.stdout).toMatch(new RegExp(`^${id}  MAY HAVE BEEN SENT: .*Nobody knows yet`, 'm'));
  expect(listed.stderr).toContain(`answer at ${server.url}/inbox`);
  expect((await run(['show', id])).stdout).toContain(`It may have been sent: check at the service`);
  google.failures.clear();
});

test('a key that may not decide gets the address where a person can', async () => {
  const { key } = await server.ok('create_key', { label: 'Agent' });
  const id = await createMailDraft('Not by an agent');
  const refused = await run(['approve', id], String(key));
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining(`/inbox`) });
  expect(listSentSubjects()).not.toContain('Not by an agent');
  expect(await run(['decline', id])).toMatchObject({ code: 0 });
});

test('a draft cannot move the cursor of a terminal or hide a part of itself', async () => {
  const id = await createMailDraft('Nice', 'Pay me.\u001B[2K\u001B[1A\u009B8mNothing to see\u202E here');
  const { stdout } = await run(['show', id]);
  expect(stdout).toContain('Pay me.');
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test('the command lists all pending drafts, however many there are', async () => {
  const ids = new Set<string>();
  for (let nth = 0; nth < 102; nth += 1) ids.add(await createMailDraft(`Of many ${nth}`));
  const { stdout, stderr } = await run(['list']);
  expect([...ids].filter((id) => !stdout.includes(id))).toEqual([]);
  const lines = stdout.trim().split('\n');
  const listed = lines.filter((line) => !line.includes('MAY HAVE BEEN SENT')).length;
  expect(stderr).toContain(`${listed} of ${listed} that wait.\n`);
  const json = JSON.parse((await run(['list', '--json'])).stdout) as { drafts: unknown[]; count: number };
  expect([json.drafts.length, json.count]).toEqual([listed, listed]);
});
