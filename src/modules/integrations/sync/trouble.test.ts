// A failing provider delays a sync, but deletes nothing.
import { AppError } from '#kernel/errors';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { addBrokenWorkspace } from '../../../../tests/support/broken-workspace.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { runSync, startSync, listPageTitles, type Sync } from '../../../../tests/support/syncs.ts';
import { planSyncRetry } from './failures.ts';

const ada = 'ada@example.com';
const busy = { kind: 'status', status: 429, retryAfter: 900 } as const;

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: ada, name: 'Ada Lovelace' });
  await linkGoogle(server, google);
});
afterAll(() => close());
beforeEach(() => google.failures.clear());

test('a mailbox that is linked again after its access ended syncs at once', async () => {
  const sync = await startSync(server, { source: 'gmail' });
  google.revokeAccess(ada);
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing', failure: expect.stringContaining(ada) });
  receiveMail('Came while nobody read');
  await linkGoogle(server, google);
  await expect.poll(() => listPageTitles(server, sync), { timeout: 10_000 }).toContain('Came while nobody read');
  const { syncs } = await server.ok('list_syncs', { brain_id: sync.brain_id });
  expect(syncs).toMatchObject([{ failure: null }]);
});

const receiveMail = (subject: string) => google.seedMail(ada, { from: 'kim@example.com', subject, text: subject });

test('a mail that arrives while Gmail is rate limited is read after the pause', async () => {
  const sync = await startSync(server, { source: 'gmail' });
  const [late, other] = [receiveMail('Asked to wait for'), receiveMail('Not asked to wait for')];
  google.failures.next({ path: `/gmail/v1/users/me/threads/${late.threadId}` }, busy);
  const failing = await runSync(server, sync);
  expect(failing).toMatchObject({ status: 'failing', failure: expect.stringContaining('429') });
  expect(Date.parse(String(failing['next_at'])) - Date.now()).toBeGreaterThan(800_000);
  google.failures.clear();
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null, errors: [] });
  expect(await listPageTitles(server, sync)).toEqual(
    expect.arrayContaining(['Asked to wait for', 'Not asked to wait for']),
  );
  expect(other.threadId).not.toBe(late.threadId);
});

test('an item that a provider never returns is skipped after three attempts and reported; all others sync', async () => {
  const sync = await startSync(server, { source: 'gmail' });
  const [poison] = [receiveMail('Never given'), receiveMail('Beside it')];
  google.failures.next({ path: `/gmail/v1/users/me/threads/${poison.threadId}` }, busy, 100);
  for (const _attempt of [1, 2, 3]) expect(await runSync(server, sync)).toMatchObject({ status: 'failing' });
  const left = await runSync(server, sync);
  expect(left).toMatchObject({ status: 'waiting', errors: [{ item: `thread ${poison.threadId}` }] });
  expect(await listPageTitles(server, sync)).toContain('Beside it');
});

test('a sync whose source the policy blocks is paused with the reason, and continues once the rule changes', async () => {
  const sync = await startSync(server, { source: 'gmail' });
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'block', sources: ['gmail'], actions: ['read'] }] });
  receiveMail('Came while it was blocked');
  google.ledger.clear();
  await expect(runSync(server, sync)).rejects.toThrow(/does not let you read gmail/);
  await makeDue(sync);
  const findSync = async () => {
    const { syncs } = await server.ok('list_syncs');
    return (syncs as Sync[]).find(({ sync_id }) => sync_id === sync.sync_id);
  };
  await expect.poll(async () => (await findSync())?.status).toBe('failing');
  const paused = await findSync();
  expect(paused).toMatchObject({ status: 'failing', failure: expect.stringMatching(/policy.*blocks reading gmail/) });
  expect(google.ledger.all()).toEqual([]);
  await server.ok('set_policy', { version: Number(version) + 1, rules: [] });
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null });
  expect(await listPageTitles(server, sync)).toContain('Came while it was blocked');
});

test('a calendar over its rate limit continues later from where it stopped', async () => {
  const day = (days: number) => ({ dateTime: new Date(Date.now() + days * 86_400_000).toISOString() });
  google.seedEvent(ada, { summary: 'Known', start: day(3), end: day(3.1) });
  const sync = await startSync(server, { source: 'calendar' });
  google.seedEvent(ada, { summary: 'New', start: day(4), end: day(4.1) });
  google.failures.next({ path: /\/events$/ }, { kind: 'rate_limited' }, 100);
  expect(await runSync(server, sync)).toMatchObject({ status: 'failing' });
  google.failures.clear();
  // Only new items are read: the cursor was kept.
  expect(await runSync(server, sync)).toMatchObject({ status: 'waiting', failure: null, items_done: 1 });
  expect(await listPageTitles(server, sync)).toEqual(['Known', 'New']);
});

test.each([999_999_999, 1e17])(
  'a provider that asks for a pause of %d seconds gets its next request within a day',
  (seconds) => {
    const error = new AppError('upstream_failed', 'x', { diagnostics: { retryAfterSeconds: seconds } });
    expect(planSyncRetry(error, { failures: 0 }).waitMs).toBe(24 * 60 * 60_000);
  },
);

test('a workspace that fails does not delay the due sync of another', async () => {
  const sync = await startSync(server, { source: 'gmail' });
  const database = await openAsOwner(server.connectionString);
  await addBrokenWorkspace(server, database, ['syncs']);
  await database.close();
  receiveMail('Due by now');
  await makeDue(sync);
  await expect.poll(() => listPageTitles(server, sync)).toContain('Due by now');
});

/** Advances the clock until a sync is due, and runs the round that starts due syncs. */
async function makeDue({ sync_id }: Sync): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  await database.rows(`update syncs set next_at = now() - interval '1 second' where id = $1`, [sync_id]);
  await database.rows(`insert into jobs.job (name, retry_limit) values ('integrations.due', 0)`);
  await database.close();
}
