import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBrokenWorkspace, wasBrokenVisited } from '../tests/support/broken-workspace.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../tests/support/owner-database.ts';
import type { TestServer } from '../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
let broken: string;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  database = await openAsOwner(server.connectionString);
  await database.rows('delete from jobs.schedule'); // each test has its round made itself
  broken = await addBrokenWorkspace(server, database, ['events', 'drafts', 'memory_gatherings']);
});
afterAll(async () => {
  await database.close();
  await close();
});

/** Runs a scheduled job now; a failure is not retried. */
const runJob = (name: string) => database.rows('insert into jobs.job (name, retry_limit) values ($1, 0)', [name]);
const createMailDraft = async (subject: string) => {
  const input = { to: ['noah@example.com'], subject, body: 'At nine.' };
  return (await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input }))['draft_id'];
};
const readStatus = async (id: unknown) =>
  (await database.rows('select status from drafts where id = $1', [id]))[0]?.['status'];
const countRows = async (rows: string) => (await database.rows(`select from ${rows}`)).length;

test('a round does not visit a workspace without work', async () => {
  const draftId = await createMailDraft('idle');
  await database.rows(`update drafts set expires_at = now() - interval '1 minute'`);
  await runJob('expired-drafts');
  await expect.poll(() => readStatus(draftId)).toBe('expired');
  expect(await wasBrokenVisited(database)).toBe(false);
});

test('a workspace that fails does not stop the clean-up of another', async () => {
  await server.ok('add_memory', { content: 'The ferry leaves at nine.' });
  await database.rows(`update events set at = at - interval '8 days'`);
  const old = `events where at < now() - interval '7 days'`;
  expect(await countRows(old)).toBeGreaterThan(0);
  await runJob('tidy');
  await expect.poll(() => countRows(old)).toBe(0);
});

test('a workspace that fails does not stop drafts of another from expiring in time', async () => {
  const [draftId, ofBroken] = [await createMailDraft('kept'), await createMailDraft('broken')];
  await database.rows(`select setval('broken_visits', 1, false)`);
  await database.rows('update drafts set workspace_id = $1 where id = $2', [broken, ofBroken]);
  await database.rows(`update drafts set expires_at = now() - interval '1 minute'`);
  await runJob('expired-drafts');
  await expect.poll(() => readStatus(draftId)).toBe('expired');
  await expect.poll(() => wasBrokenVisited(database)).toBe(true);
});

test('a workspace that fails does not stop the grouping of another', async () => {
  for (const word of ['quay', 'rope', 'sail', 'mast', 'keel', 'oar', 'deck'])
    await server.ok('add_memory', { content: `The ferry needs a new ${word} before the autumn storms.` });
  await runJob('constellations');
  await expect.poll(() => countRows('memory_gatherings')).toBe(1);
});
