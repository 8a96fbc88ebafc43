import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import type { TestServer } from '../../../tests/support/server.ts';

const [ada, ida] = ['ada@example.com', 'ida@example.com'];
let server: TestServer;
let database: OwnerDatabase;
let close: () => Promise<void>;
const connections: Record<string, string> = {};
const drafts: Record<string, string> = {};
const batch_id = crypto.randomUUID();

type Page = { actions: { draft_id: string; status: string }[]; next_cursor: string | null };

async function createDraft(name: string, more: object = {}): Promise<string> {
  const input = { to: ['noah@example.com'], subject: name, body: 'Which day works?' };
  const request = { source: 'gmail', account: ada, action_name: 'send_email', input, ...more };
  const { draft_id } = await server.ok('act_on_integration', request);
  return (drafts[name] = String(draft_id));
}

async function list(input: object = {}, key?: string): Promise<Page> {
  return (await server.ok('list_actions', input, key === undefined ? {} : { key })) as Page; // as the operation returns it
}

/** The names of the drafts that fit a filter, newest first. */
async function listNames(input: object): Promise<string[]> {
  const { actions } = await list(input);
  return actions.map(({ draft_id }) => Object.keys(drafts).find((name) => drafts[name] === draft_id) ?? draft_id);
}

beforeAll(async () => {
  const started = await startServerWithGoogle();
  ({ server, close } = started);
  database = await openAsOwner(server.connectionString);
  for (const email of [ada, ida]) {
    started.google.addAccount({ email, name: email });
    connections[email] = (await linkGoogle(server, started.google, { email })).connectionId;
  }
  await createDraft('declined', { batch_id });
  await createDraft('sent', { batch_id });
  await createDraft('refused');
  await createDraft('from ida', { account: ida });
  const input = { name: 'notes.md', content: 'The first line.' };
  await createDraft('file', { source: 'drive', action_name: 'create_file', input });
  await createDraft('waiting');
  await createDraft('overdue');
  await server.ok('discard_action', { draft_id: drafts['declined'] });
  await server.ok('confirm_action', { draft_id: drafts['sent'] });
  started.google.failures.next({ path: /drafts\/send/ }, { kind: 'status', status: 403 });
  await server.ok('confirm_action', { draft_id: drafts['refused'] });
  // Nothing has marked it as expired yet.
  const past = `now() - interval '1 second'`;
  await database.rows(`update drafts set expires_at = ${past} where id = $1`, [drafts['overdue']]);
  for (const [at, name] of Object.keys(drafts).entries())
    await database.rows('update drafts set created_at = $2 where id = $1', [
      drafts[name],
      `2026-01-0${at + 1}T12:00:00Z`,
    ]);
});
afterAll(async () => {
  await database.close();
  await close();
});

const all = ['overdue', 'waiting', 'file', 'from ida', 'refused', 'sent', 'declined'];

test('without a filter the list has every draft, newest first', async () => {
  expect(await listNames({})).toEqual(all);
});

test('sorted by their end, drafts are listed page by page in the order in which they were decided or expired', async () => {
  const statuses = ['confirmed', 'failed', 'discarded', 'expired'];
  const ended = ['overdue', 'refused', 'sent', 'declined'];
  const at = (name: string) => `2026-03-0${9 - ended.indexOf(name)}T12:00:00Z`;
  await database.rows('update drafts set expires_at = $2 where id = $1', [drafts['overdue'], at('overdue')]);
  for (const name of ['refused', 'sent', 'declined'])
    await database.rows('update drafts set decided_at = $2 where id = $1', [drafts[name], at(name)]);
  // In the reverse order of drafting.
  await database.rows('update drafts set decided_at = $2 where id = $1', [drafts['declined'], '2026-03-20T12:00:00Z']);
  const expected = ['declined', 'overdue', 'refused', 'sent'];
  expect(await listNames({ statuses, order: 'ended' })).toEqual(expected);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await list({ statuses, order: 'ended', limit: 1, ...(cursor && { cursor }) });
    seen.push(...page.actions.map(({ draft_id }) => draft_id));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(expected.map((name) => drafts[name]));
});

test('an undecided draft counts as expired after its time, also before it is marked as expired', async () => {
  expect(await listNames({ status: 'expired' })).toEqual(['overdue']);
  expect(await listNames({ status: 'pending' })).toEqual(['waiting', 'file', 'from ida']);
  expect(await listNames({ statuses: ['pending', 'expired'] })).toEqual(['overdue', 'waiting', 'file', 'from ida']);
  for (const status of ['pending', 'expired'])
    for (const action of (await list({ status })).actions) expect(action.status).toBe(status);
});

test('a caller can ask for several states at once, also in an address', async () => {
  expect(await listNames({ statuses: ['confirmed', 'discarded'] })).toEqual(['sent', 'declined']);
  expect(await listNames({ status: 'failed', statuses: ['discarded'] })).toEqual(['refused', 'declined']);
  const response = await server.request('/v1/actions?statuses=confirmed,discarded', {
    headers: { authorization: `Bearer ${server.key}` },
  });
  expect(((await response.json()) as Page).actions).toHaveLength(2);
  expect((await server.call('list_actions', { statuses: [] })).status).toBe(422);
  expect((await server.call('list_actions', { statuses: ['sent'] })).status).toBe(422);
});

test('drafts are filtered by source, action, account and batch', async () => {
  expect(await listNames({ source: 'drive' })).toEqual(['file']);
  expect(await listNames({ action: 'create_file' })).toEqual(['file']);
  expect(await listNames({ action: 'send_email', status: 'pending' })).toEqual(['waiting', 'from ida']);
  expect(await listNames({ account: ida })).toEqual(['from ida']);
  expect(await listNames({ connection_id: connections[ida] })).toEqual(['from ida']);
  expect(await listNames({ batch_id })).toEqual(['sent', 'declined']);
  expect(await listNames({ batch_id: crypto.randomUUID() })).toEqual([]);
  const { actions } = await list({ source: 'drive' });
  const { drafted_by_id } = (await server.ok('get_action', { draft_id: actions[0]?.draft_id })) as {
    drafted_by_id: string;
  }; // as the operation returns it
  expect(await listNames({ drafted_by_id, source: 'drive' })).toEqual(['file']);
  expect(await listNames({ drafted_by_id: crypto.randomUUID() })).toEqual([]);
});

test('drafts are filtered by time: from the start, and before the end', async () => {
  expect(await listNames({ since: '2026-01-05' })).toEqual(['overdue', 'waiting', 'file']);
  expect(await listNames({ since: '2026-01-02T12:00:00Z', until: '2026-01-04T12:00:00Z' })).toEqual([
    'refused',
    'sent',
  ]);
  expect(await listNames({ until: '2026-01-02T13:00:00+01:00' })).toEqual(['declined']);
  expect((await server.call('list_actions', { since: 'yesterday' })).status).toBe(422);
});

test('pages list each draft once, even drafts of the same moment, and apply their filter', async () => {
  const same = ['waiting', 'file', 'from ida'];
  const before = await database.rows('select id, created_at from drafts');
  // The microseconds are finer than the clock of this server.
  const ids = same.map((name) => drafts[name]);
  await database.rows(`update drafts set created_at = '2026-02-02 03:04:05.678901Z' where id = any($1)`, [ids]);
  const read = async (input: object) => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ ...input, limit: 1, ...(cursor && { cursor }) });
      expect(page.actions.length).toBeLessThanOrEqual(1);
      seen.push(...page.actions.map(({ draft_id }) => draft_id));
      cursor = page.next_cursor;
    }
    return seen;
  };
  const ordered = ids.toSorted().toReversed();
  expect(await read({ status: 'pending' })).toEqual(ordered);
  expect(await read({})).toEqual([
    ...ordered,
    ...['overdue', 'refused', 'sent', 'declined'].map((name) => drafts[name]),
  ]);
  for (const { id, created_at } of before)
    await database.rows('update drafts set created_at = $2 where id = $1', [id, created_at]);
});

test('a page with every draft has no next page, and a foreign cursor is refused', async () => {
  expect((await list({ limit: all.length })).next_cursor).toBeNull();
  const { next_cursor: place } = await list({ limit: 2 });
  const { key } = await addPerson(database);
  for (const [cursor, of] of [['draft:'], [crypto.randomUUID()], [`draft:${crypto.randomUUID()}`], [place, key]]) {
    const { status, body } = await server.call('list_actions', { cursor }, of ? { key: of } : {});
    expect([status, body]).toMatchObject([422, { code: 'invalid_input' }]);
  }
});

test('drafts of another workspace or person are in no list, whatever the filter', async () => {
  const others = [(await addWorkspace(server)).key, (await addPerson(database)).key];
  for (const key of others)
    for (const input of [{}, { status: 'expired' }, { batch_id }, { account: ida }, { since: '2026-01-01' }])
      expect((await list(input, key)).actions).toEqual([]);
  for (const key of others)
    expect((await server.call('list_actions', { connection_id: connections[ada] }, { key })).status).toBe(404);
});
