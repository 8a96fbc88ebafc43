import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBrokenWorkspace } from '../tests/support/broken-workspace.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../tests/support/owner-database.ts';
import type { TestServer } from '../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  database = await openAsOwner(server.connectionString);
  await addBrokenWorkspace(server, database, ['events', 'drafts', 'memory_gatherings']);
});
afterAll(async () => {
  await database.close();
  await close();
});

/** Has a scheduled job run now, as its time does; nothing tries it again. */
const runJob = (name: string) => database.rows('insert into jobs.job (name, retry_limit) values ($1, 0)', [name]);
const numberOf = async (rows: string) => (await database.rows(`select from ${rows}`)).length;

test('a workspace that fails does not stop the clean-up of another', async () => {
  await server.ok('add_memory', { content: 'The ferry leaves at nine.' });
  await database.rows(`update events set at = at - interval '8 days'`);
  const old = `events where at < now() - interval '7 days'`;
  expect(await numberOf(old)).toBeGreaterThan(0);
  await runJob('tidy');
  await expect.poll(() => numberOf(old)).toBe(0);
});

test('a workspace that fails does not stop drafts of another from expiring in time', async () => {
  const input = { to: ['noah@example.com'], subject: 'Ferry', body: 'At nine.' };
  const { draft_id } = await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input });
  await database.rows(`update drafts set expires_at = now() - interval '1 minute'`);
  await runJob('expired-drafts');
  await expect
    .poll(() => database.rows('select id, status from drafts'))
    .toEqual([{ id: draft_id, status: 'expired' }]);
});

test('a workspace that fails does not stop the grouping of another', async () => {
  for (const word of ['quay', 'rope', 'sail', 'mast', 'keel', 'oar', 'deck'])
    await server.ok('add_memory', { content: `The ferry needs a new ${word} before the autumn storms.` });
  await runJob('constellations');
  await expect.poll(() => numberOf('memory_gatherings')).toBe(1);
});
