// Server processes whose clocks differ by an hour: leases, and how long a provider is asked, go by the clock of the database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionDraft, waitForOutcome } from '../support/acting.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import {
  buildServerSettings,
  startServerProcess,
  withWrongClock,
  type ServerProcess,
} from '../support/server-process.ts';
import { endLeases, passTimeAndWait, passTime } from '../support/time-passes.ts';
import { startLinearUpstream } from './matrix/linear.ts';

const key = `cm_${'clockkey'.repeat(5)}`;
const hour = 60 * 60;
/** A lease of a draft lasts for 25 seconds, and the provider's word counts ten minutes after the sending. */
const times = { THALAMUS_SEND_TIMEOUT_SECONDS: '10', THALAMUS_SETTLE_AFTER_SECONDS: '600' };

const linear = await startLinearUpstream();
let settings: Record<string, string>;
let connectionString: string;
let dropDatabase: () => Promise<void>;
let database: Awaited<ReturnType<typeof openAsOwner>>;

beforeAll(async () => {
  ({ connectionString, drop: dropDatabase } = await createTestDatabase());
  database = await openAsOwner(connectionString);
  settings = { ...buildServerSettings(connectionString), ...times, ...linear.settings };
  const server = await startServerProcess(settings, key);
  await linear.link(server);
  await server.stop();
});
afterAll(async () => {
  await linear.close();
  await database.close();
  await dropDatabase();
});

const start = (aheadSeconds: number) =>
  startServerProcess({ ...settings, ...(aheadSeconds && withWrongClock(aheadSeconds)) }, key);

/** Sends, and is frozen while it waits for the answer. */
async function freezeWhileSending(server: ServerProcess, marker: string): Promise<string> {
  const [createIssue] = linear.subjects;
  if (!createIssue) throw new Error('issues can be created');
  const id = await createActionDraft(server, await createIssue.request(marker));
  const [, creating] = createIssue.requests(marker);
  if (!creating) throw new Error('an issue is created by a request of its own');
  const { reached } = linear.failures.pause(creating, 'before'); // it never arrives
  server.call('confirm_action', { draft_id: id }).catch(() => {});
  await reached;
  server.freeze();
  return id;
}

const clocks = [
  { sender: 0, other: hour, of: 'the other clock is an hour ahead' },
  { sender: 0, other: -hour, of: 'the other clock is an hour behind' },
  { sender: hour, other: 0, of: 'the sender’s clock is an hour ahead' },
  { sender: -hour, other: 0, of: 'the sender’s clock is an hour behind' },
] as const;

test.each(clocks)(
  'no lease is stolen or kept too long, and nothing is reconciled early, when $of',
  async ({ sender, other, of }) => {
    const [first, second] = await Promise.all([start(sender), start(other)]);
    try {
      const syncId = await stopWhileReading(first);
      const id = await freezeWhileSending(first, `issue of ${of}`);
      const before = await readLeases(id, syncId);
      await second.ok('run_sync', { sync_id: syncId });
      await passTime(connectionString, 30); // the job that settles it comes while it is being sent
      await expect.poll(readUnfinishedJobs).toEqual([{ name: 'integrations.sync' }]); // that of the frozen one
      expect(await readLeases(id, syncId)).toEqual(before);

      await first.kill();
      await endLeases(connectionString);
      await second.ok('run_sync', { sync_id: syncId });
      await expect.poll(() => readSyncStatus(second, syncId)).toBe('waiting');
      await expect.poll(async () => (await second.ok('get_action', { draft_id: id }))['status']).toBe('ambiguous');
      expect(await readSteps(second, id)).toEqual(['drafted', 'decided', 'sending', 'ambiguous']);

      await passTimeAndWait(connectionString, 600);
      expect(await waitForOutcome(second, id)).toMatchObject({ status: 'failed', ledger_is_whole: true });
    } finally {
      await first.kill();
      await second.kill();
    }
  },
);

/** Jobs that are due, or that somebody is at. */
function readUnfinishedJobs() {
  return database.rows(`select name from jobs.job where name in ('settle-draft', 'integrations.sync')
    and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`);
}

/** Reads, and waits for an answer that never comes. */
async function stopWhileReading(server: ServerProcess): Promise<string> {
  const { reached } = linear.failures.pause({ path: '/graphql', body: /query Issues/ });
  const { sync_id: syncId } = await server.ok('sync_integration', { source: 'linear' });
  await reached;
  return String(syncId);
}

/** Who has the right to send and to read, and how far that is. */
async function readLeases(draftId: string, syncId: string) {
  return database.rows(
    `select lease_token, status from drafts where id = $1
     union all select lease_token, status from syncs where id = $2`,
    [draftId, syncId],
  );
}

async function readSyncStatus(server: ServerProcess, syncId: string): Promise<unknown> {
  const { syncs } = (await server.ok('list_syncs')) as { syncs: { sync_id: string; status: string }[] };
  return syncs.find(({ sync_id }) => sync_id === syncId)?.status;
}

async function readSteps(server: ServerProcess, id: string): Promise<unknown[]> {
  const { ledger } = (await server.ok('get_action', { draft_id: id })) as { ledger: { step: string }[] };
  return ledger.map(({ step }) => step);
}
