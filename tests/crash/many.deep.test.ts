// Many who decide at once, over several surfaces and two server processes, and processes that die meanwhile.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActionDraft, waitForOutcome } from '../support/acting.ts';
import { signIn } from '../support/google.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import type { ReachedServer } from '../support/server.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startLinearUpstream } from './matrix/linear.ts';

const key = `cm_${'manykeys'.repeat(5)}`;
const main = join(import.meta.dirname, '../../cli/main.ts');
const linear = await startLinearUpstream();
const [createIssue] = linear.subjects;
if (!createIssue) throw new Error('issues can be created');

let servers: [ServerProcess, ServerProcess];
let settings: Record<string, string>;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_SEND_TIMEOUT_SECONDS: '10',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
    THALAMUS_RATE_LIMIT: '1000000',
    ...linear.settings,
  };
  const first = await startServerProcess(settings, key);
  servers = [first, await startServerProcess(settings, key)];
  await linear.link(first);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await linear.close();
  await dropDatabase();
});

type Outcome = { status: unknown; result: unknown };
const toOutcome = ({ status, result }: { status?: unknown; result?: unknown }): Outcome => ({ status, result });

async function confirmByMcp(server: ServerProcess, draft_id: string, times: number): Promise<Outcome[]> {
  const client = await connectMcp(`${server.url}/mcp`, key);
  const call = { name: 'confirm_action', arguments: { draft_id } };
  const answers = await Promise.all(Array.from({ length: times }, () => client.callTool(call)));
  await client.close();
  return answers.map(({ structuredContent }) => toOutcome(structuredContent as Outcome)); // every answer has it
}

function confirmByCommand(server: ServerProcess, draft_id: string): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', THALAMUS_URL: server.url, THALAMUS_KEY: key };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [main, 'call', 'confirm_action', `draft_id=${draft_id}`],
      { env },
      (error, stdout, stderr) =>
        error ? reject(new Error(stderr)) : resolve(toOutcome(JSON.parse(stdout) as Outcome)),
    );
  });
}

test(
  'sixty-four confirmations of one draft over four surfaces and two processes give one send and equal results',
  { timeout: 120_000 },
  async () => {
    const [one, two] = servers;
    const id = await createActionDraft(one, await createIssue.request('sixtyfour'));
    const browser = await signIn(two);
    const answers = await Promise.all([
      confirmByMcp(one, id, 12),
      confirmByMcp(two, id, 12),
      ...[one, two].flatMap((server) =>
        Array.from({ length: 10 }, async () => [toOutcome(await server.ok('confirm_action', { draft_id: id }))]),
      ),
      ...Array.from({ length: 12 }, async () => [toOutcome(await browser.ok('confirm_action', { draft_id: id }))]),
      ...Array.from({ length: 8 }, async (_, n) => [await confirmByCommand(servers[n % 2] ?? one, id)]),
    ]);
    const all = answers.flat();
    expect(all).toHaveLength(64);
    expect(new Set(all.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(all[0]).toMatchObject({ status: 'confirmed', result: { issue_id: expect.any(String) } });
    expect(await createIssue.visible('sixtyfour')).toBe(1);
  },
);

test(
  'a thousand drafts decided in batches while processes are killed are all sent, each once',
  { timeout: 300_000 },
  async () => {
    const count = 1_000;
    const markers = Array.from({ length: count }, (_, n) => `many-${n}x`);
    const ids: string[] = [];
    for (let from = 0; from < count; from += 20)
      ids.push(
        ...(await Promise.all(
          markers
            .slice(from, from + 20)
            .map(async (each) => createActionDraft(servers[0], await createIssue.request(each))),
        )),
      );
    const batches = Array.from({ length: count / 50 }, (_, n) => ids.slice(n * 50, n * 50 + 50));
    let killed = 0;
    const killing = (async () => {
      for (const which of [0, 1, 0, 1] as const) {
        await new Promise((resolve) => setTimeout(resolve, 1_500)); // they are in the midst of it
        await servers[which].kill();
        killed += 1;
        servers[which] = await startServerProcess(settings, key);
      }
    })();
    const decide = async (lane: number) => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await confirmAll(batch, lane);
    };
    await Promise.all([decide(0), decide(1)]);
    await killing;
    expect(killed).toBe(4);
    // A process may die between recording the send and sending. Then the provider has nothing, the draft fails, and the
    // caller drafts it again.
    let unsent = 0;
    for (const [n, marker] of markers.entries()) {
      const id = ids[n] ?? '';
      const action = await waitForOutcome(servers[0], id, { milliseconds: 90_000 });
      expect(action, JSON.stringify(action)).toMatchObject({ ledger_is_whole: true });
      if (action.status !== 'confirmed') {
        expect(action, JSON.stringify(action)).toMatchObject({ status: 'failed', can_redraft: true });
        expect(await createIssue.visible(marker), JSON.stringify(action)).toBe(0);
        unsent += 1;
        const again = await servers[0].ok('act_on_integration', {
          ...(await createIssue.request(marker)),
          follows_id: id,
        });
        await servers[0].ok('confirm_action', { draft_id: again['draft_id'] });
      }
      expect(await createIssue.visible(marker), marker).toBe(1);
    }
    expect(unsent, 'at most one for each lane and death').toBeLessThanOrEqual(2 * killed);
    await expect.poll(async () => (await servers[0].ok('verify_ledger'))['unsealed_rows'], { timeout: 10_000 }).toBe(0);
    expect(await servers[0].ok('verify_ledger')).toMatchObject({ is_whole: true, faults: [] });
  },
);

/** As a client does whose server dies: asks again, wherever one answers. */
async function confirmAll(draft_ids: string[], lane: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const server: ReachedServer = servers[(lane + attempt) % 2] ?? servers[0];
    const answer = await server.call('confirm_actions', { draft_ids }).catch(() => null);
    if (answer?.status === 200) return;
    if (attempt > 100) throw new Error(`no server answers: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
