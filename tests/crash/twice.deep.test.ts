// Who settles what another left behind may die of it, too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionDraft, waitForOutcome } from '../support/acting.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';
import { startLinearUpstream } from './matrix/linear.ts';

const key = `cm_${'twicekey'.repeat(5)}`;
const linear = await startLinearUpstream();
let settings: Record<string, string>;
let connectionString: string;
let dropDatabase: () => Promise<void>;
let server: ServerProcess;

beforeAll(async () => {
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  connectionString = database.connectionString;
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_SEND_TIMEOUT_SECONDS: '2',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    ...linear.settings,
  };
  server = await startServerProcess(settings, key);
  await linear.link(server);
});
afterAll(async () => {
  await server.stop();
  await linear.close();
  await dropDatabase();
});

test(
  'a draft is reconciled within two minutes after two processes in turn are killed',
  { timeout: 240_000 },
  async () => {
    const [createIssue] = linear.subjects;
    if (!createIssue) throw new Error('issues can be created');
    const id = await createActionDraft(server, await createIssue.request('twice'));
    const [, creating] = createIssue.requests('twice');
    if (!creating) throw new Error('an issue is created by a request of its own');
    const sent = linear.failures.pause(creating, 'after');
    const confirming = server.call('confirm_action', { draft_id: id }).catch(() => null);
    await sent.reached;
    const asked = linear.failures.pause({ path: '/graphql' });
    await server.kill();
    sent.release();
    await confirming;
    await endLeases(connectionString);

    server = await startServerProcess(settings, key);
    await asked.reached;
    await server.kill();
    asked.release();
    await endLeases(connectionString);

    server = await startServerProcess(settings, key);
    expect(await waitForOutcome(server, id, { milliseconds: 120_000 })).toMatchObject({
      status: 'confirmed',
      ledger_is_whole: true,
    });
    expect(await createIssue.visible('twice')).toBe(1);
  },
);
