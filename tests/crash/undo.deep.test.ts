// A server is killed during an undo: the undo still completes, exactly once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { act } from '../support/acting.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';
import { startSlackUpstream } from './matrix/slack.ts';

const key = `cm_${'undokey8'.repeat(5)}`;
const slack = await startSlackUpstream();
const subject = slack.subjects.find(({ name }) => name === 'slack post_message');
const deleting = { path: '/api/chat.delete' };

let server: ServerProcess;
let settings: Record<string, string>;
let connectionString: string;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  connectionString = database.connectionString;
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_SEND_TIMEOUT_SECONDS: '2',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    ...slack.settings,
  };
  server = await startServerProcess(settings, key);
  await slack.link(server);
});
afterAll(async () => {
  await server.stop();
  await slack.close();
  await dropDatabase();
});

const points = [
  { name: 'before its request arrives, which is lost', when: 'before', arrives: false, isChanged: false },
  { name: 'before, and what was sent looks otherwise by now', when: 'before', arrives: false, isChanged: true },
  { name: 'after it was done, before the answer comes', when: 'after', arrives: true, isChanged: false },
] as const;

test.for(points)(
  'a server killed $name undoes the action at the provider and in its own record',
  { timeout: 60_000 },
  async (at) => {
    if (!subject) throw new Error('there is such an action');
    const marker = `undo-${at.when}-${at.isChanged}`;
    const { draft_id, result } = await act(server, await subject.request(marker));
    if (at.isChanged) {
      const input = { channel: '#general', ts: (result as { ts: string }).ts, text: `${marker} changed` };
      await act(server, { source: 'slack', action_name: 'update_message', input });
    }
    const pausedRequest = slack.failures.pause(deleting, at.when);
    server.call('undo_action', { draft_id }).catch(() => {}); // the kill cuts it off
    await pausedRequest.reached;
    await server.kill();
    if (at.arrives) pausedRequest.release();
    await endLeases(connectionString);
    server = await startServerProcess(settings, key);
    const record = () => server.ok('get_action', { draft_id });
    await expect.poll(async () => (await record())['status'], { timeout: 40_000 }).toBe('undone');
    expect(await subject.visible(marker)).toBe(0);
    expect(await subject.visible(`${marker} changed`)).toBe(0);
    const { ledger, ledger_is_whole } = (await record()) as { ledger: { step: string }[]; ledger_is_whole: boolean };
    expect(ledger_is_whole).toBe(true);
    expect(ledger.map(({ step }) => step).slice(-2)).toEqual(['undoing', 'undone']);
    slack.failures.clear();
  },
);
