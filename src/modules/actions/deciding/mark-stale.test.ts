import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDrafts } from '../../../../tests/e2e/seed-drafts.ts';
import { linkGoogle, startServerWithGoogle } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../../tests/support/server.ts';
import { waitForDueJobs } from '../../../../tests/support/time-passes.ts';

let server: TestServer;
let database: OwnerDatabase;
let close: () => Promise<void>;

beforeAll(async () => {
  const started = await startServerWithGoogle();
  ({ server, close } = started);
  database = await openAsOwner(server.connectionString);
  started.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, started.google);
});
afterAll(async () => {
  await database.close();
  await close();
});

async function createDraft(subject: string, to = ['noah@example.com']): Promise<string> {
  const input = { to, subject, body: 'Hello.' };
  return String(
    (await server.ok('act_on_integration', { source: 'gmail', action_name: 'send_email', input }))['draft_id'],
  );
}

async function setRules(rules: object[]): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}

const read = (draft_id: string) => server.ok('get_action', { draft_id });

test('a change of the policy makes exactly those drafts stale that another rule would match now', async () => {
  const [staleDraft, other] = [await createDraft('Ruled'), await createDraft('Other', ['eve@elsewhere.org'])];
  await setRules([{ effect: 'require_human', every_recipient: '*@example.com' }]);
  expect(await read(staleDraft)).toMatchObject({
    status: 'stale',
    error: expect.stringContaining('The policy changed after this was drafted. Nothing was sent.'),
    can_redraft: true,
    ledger_is_whole: true,
  });
  const { drafts } = await server.ok('list_pending_actions');
  expect((drafts as { draft_id: string }[]).map(({ draft_id }) => draft_id)).toEqual([other]);
  expect(await read(other)).toMatchObject({ status: 'pending' });
  await setRules([]);
});

test('hundreds of drafts all become stale, even if nobody reads them', async () => {
  await createDraft('One of many');
  await seedDrafts(server.connectionString, 450);
  await setRules([{ effect: 'require_human' }]);
  await waitForDueJobs(server.connectionString);
  const [left] = await database.rows(`select count(*)::integer from drafts where status = 'pending'`);
  expect(left).toEqual({ count: 0 });
  await setRules([]);
});
