import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { joinAs } from '../../../../tests/support/colleague.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import type { TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let database: Awaited<ReturnType<typeof openAsOwner>>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  database = await openAsOwner(server.connectionString);
  // The owner of the tables can do that, too.
  await database.rows('alter table draft_ledger disable trigger seal_once');
});
afterAll(async () => {
  await database.close();
  await close();
});

let number = 0;
async function createDraft(): Promise<string> {
  number += 1;
  const input = { to: ['noah@example.com'], subject: `Sealed ${number}`, body: 'Hello.' };
  const request = { source: 'gmail', action_name: 'send_email', input };
  return String((await server.ok('act_on_integration', request))['draft_id']);
}

type VerificationAnswer = {
  is_whole: boolean;
  faults: string[];
  head: { seal: number; mac: string };
  seals: number;
  rows: number;
};
const verify = async (input: object = {}) => (await server.ok('verify_ledger', input)) as unknown as VerificationAnswer;

async function waitUntilSealed(): Promise<VerificationAnswer> {
  await expect.poll(async () => (await server.ok('verify_ledger'))['unsealed_rows']).toBe(0);
  return verify();
}

/** Changes the database as an intruder could, runs the check, and changes it back. */
async function verifyTampered(change: string, back: string, input: object = {}): Promise<VerificationAnswer> {
  await database.rows(change);
  const found = await verify(input);
  await database.rows(back);
  return found;
}

test('every step is sealed within seconds by any process, and the check finds it intact', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => createDraft()));
  await Promise.all(ids.map((draft_id) => server.ok('discard_action', { draft_id })));
  const first = await waitUntilSealed();
  expect(first).toMatchObject({ is_whole: true, faults: [], head: { seal: first.seals } });
  expect(first.rows).toBeGreaterThanOrEqual(16);
  await createDraft();
  const next = await waitUntilSealed();
  expect(next.rows).toBe(first.rows + 1);
  expect(await verify({ head: first.head })).toMatchObject({ is_whole: true });
});

test('the check finds a changed step, a missing step and one under another seal', async () => {
  const id = await createDraft();
  await server.ok('discard_action', { draft_id: id });
  await waitUntilSealed();
  const of = `where draft_id = '${id}' and seq = 2`;
  const words = await verifyTampered(
    `update draft_ledger set detail = detail || '{"by": "nobody"}' ${of}`,
    `update draft_ledger set detail = detail || jsonb_build_object('by', (select label from keys limit 1)) ${of}`,
  );
  expect(words).toMatchObject({ is_whole: false });
  expect(words.faults.join()).toContain(`Draft ${id}: row 2`);
  const moved = await verifyTampered(
    `update draft_ledger set seal = seal + 1000 ${of}`,
    `update draft_ledger set seal = seal - 1000 ${of}`,
  );
  expect(moved.faults.join()).toMatch(/Seal \d+ covers \d+ rows; it was made over \d+/);
  const taken = await verifyTampered(
    `create table taken as select * from draft_ledger ${of}; delete from draft_ledger ${of}`,
    'insert into draft_ledger select * from taken; drop table taken',
  );
  expect(taken.faults.join()).toMatch(/Seal \d+ covers \d+ rows; it was made over \d+/);
  expect(await verify()).toMatchObject({ is_whole: true });
});

test('the check finds rows outside every seal', async () => {
  const id = await createDraft();
  await waitUntilSealed();
  const of = `where draft_id = '${id}' and seq = 1`;
  const outside = await verifyTampered(
    `update draft_ledger set seal = seal - 1000 ${of}`,
    `update draft_ledger set seal = seal + 1000 ${of}`,
  );
  expect(outside.faults).toContain('Rows belong to seals that are missing.');
});

test('a check during sealing raises no false alarm', async () => {
  const writing = Promise.all(Array.from({ length: 20 }, (_, n) => sleep(n * 100).then(createDraft)));
  for (let look = 0; look < 60; look += 1) expect(await verify()).toMatchObject({ is_whole: true, faults: [] });
  await writing;
});

test('the check finds a seal that was made in the database only, and a missing seal', async () => {
  await createDraft();
  const { head } = await waitUntilSealed();
  const forged = await verifyTampered(
    `update ledger_seals set at = at - interval '1 hour' where seal = ${head.seal}`,
    `update ledger_seals set at = at + interval '1 hour' where seal = ${head.seal}`,
  );
  expect(forged.faults).toEqual([`Seal ${head.seal} was not made by this server's key.`]);
  const cut = [
    `create table cut as select * from ledger_seals where seal = ${head.seal}; delete from ledger_seals where seal = ${head.seal}`,
    'insert into ledger_seals select * from cut; drop table cut',
  ] as const;
  expect((await verifyTampered(...cut)).faults).toEqual(['Rows belong to seals that are missing.']);
});

test('a stored head reveals that the record was reset and sealed again', async () => {
  const id = await createDraft();
  const { head } = await waitUntilSealed();
  // The last seal and its rows are removed completely: nothing in the database shows it.
  await database.rows(`delete from draft_ledger where draft_id = '${id}'; delete from ledger_seals where seal = ${head.seal};
    update draft_ledger set seal = null where seal = ${head.seal}`);
  await createDraft();
  const { is_whole } = await waitUntilSealed();
  expect(is_whole).toBe(true);
  const found = await verify({ head });
  expect(found.faults).toEqual([`Seal ${head.seal} differs from the head you gave.`]);
});

async function exportLedger(limit: number, between: () => Promise<unknown> = async () => {}) {
  const lines: (Record<string, unknown> & { kind: string })[] = [];
  let cursor: unknown;
  do {
    const page = await server.ok('export_ledger', { limit, ...(cursor ? { cursor } : {}) });
    lines.push(...(page['lines'] as typeof lines));
    cursor = page['next_cursor'];
    await between();
  } while (cursor !== null);
  return lines;
}

test('the export has every step and every seal, and anybody can compute the chain from it', async () => {
  await waitUntilSealed();
  const { rows, seals } = await verify();
  for (const limit of [1, 3, 500]) {
    const lines = await exportLedger(limit);
    expect(lines.filter(({ kind }) => kind === 'step')).toHaveLength(rows);
    expect(lines.filter(({ kind }) => kind === 'seal').map(({ seal }) => seal)).toEqual(
      Array.from({ length: seals }, (_, position) => position + 1),
    );
    expect(JSON.stringify(lines)).not.toContain('sealed:');
  }
  expect(await server.call('export_ledger', { cursor: 'draft:1' })).toMatchObject({ status: 422 });
});

test('an export during drafting and deciding is complete: it has everything that each of its seals covers', async () => {
  const first = await createDraft();
  await waitUntilSealed();
  const { seals } = await verify();
  let pages = 0;
  const lines = await exportLedger(2, async () => {
    pages += 1;
    if (pages > 3) return;
    await createDraft();
    await server.call('discard_action', { draft_id: first });
    await waitUntilSealed();
  });
  const [steps, met] = [new Map<unknown, number>(), new Set<unknown>()];
  for (const { kind, seal, rows } of lines) {
    if (kind === 'step') {
      expect(met, 'a step under a seal comes before it').not.toContain(seal);
      steps.set(seal, (steps.get(seal) ?? 0) + 1);
    } else {
      met.add(seal);
      expect(steps.get(seal)).toBe(rows);
    }
  }
  expect(met.size).toBe(seals);
  const places = lines
    .filter(({ kind }) => kind === 'step')
    .map(({ draft_id, seq }) => `${String(draft_id)} ${String(seq)}`);
  expect(new Set(places).size).toBe(places.length);
});

test('only administrators of the workspace read and check its whole record', async () => {
  const { key } = await server.ok('create_key', { label: 'Agent' });
  const member = await joinAs(server, database, 'grace@example.com');
  for (const name of ['verify_ledger', 'export_ledger']) {
    expect(await server.call(name, {}, { key: String(key) })).toMatchObject({ status: 403 });
    expect((await member.call(name)).body['detail']).toMatch(/needs a workspace administrator/);
  }
});

test('a member cannot make a key with administration rights, and an older key with such a scope cannot use it', async () => {
  const member = await joinAs(server, database, 'noah@example.com');
  expect((await member.call('create_key', { label: 'All', scopes: ['workspace:admin'] })).status).toBe(403);
  const { key } = await addPerson(database); // it has every scope
  expect((await server.ok('who_am_i', {}, { key }))['scopes']).not.toContain('workspace:admin');
  expect((await server.call('export_ledger', {}, { key })).status).toBe(403);
  expect((await server.call('set_policy', { version: 0, rules: [] }, { key })).status).toBe(403);
});
