// A server is killed at each step of a run with a draft in it. There is at most one effect, and the record of the run is right afterwards.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { User } from '#emulators/telegram/state';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowKeysToDestroy } from '../support/acting.ts';
import { selectByDepth } from '../support/depth.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { connectBot, linkPhone } from '../support/telegram.ts';
import { endLeases } from '../support/time-passes.ts';

const key = `cm_${'crashkey'.repeat(5)}`;

/** A service whose answers at some paths are held back, and which counts effects. */
const pausedPaths = new Map<string, { reached: PromiseWithResolvers<void>; answers: ServerResponse[] }>();
const effects: string[] = [];
const service = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'POST') effects.push(path);
  const pausedRequest = pausedPaths.get(path);
  if (!pausedRequest) return void response.end('{}');
  pausedRequest.answers.push(response);
  pausedRequest.reached.resolve();
});
let url: string;
let telegram: TelegramEmulator;
let user: User;
let server: ServerProcess;
let settings: Record<string, string>;
let database: OwnerDatabase;
let connectionString: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // a listening TCP server has one
  telegram = await startTelegramEmulator();
  ({ connectionString, drop } = await createTestDatabase());
  settings = {
    ...buildServerSettings(connectionString),
    THALAMUS_EGRESS_ALLOW: url,
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
    THALAMUS_SEND_TIMEOUT_SECONDS: '3',
    THALAMUS_SETTLE_AFTER_SECONDS: '1',
  };
  server = await startServerProcess(settings, key);
  database = await openAsOwner(connectionString);
  await allowKeysToDestroy(server);
  user = telegram.addUser({ firstName: 'Ada' });
  const bot = telegram.addBot({ username: 'thalamus_bot' });
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user, bot });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await database.close();
  service.closeAllConnections();
  service.close();
  await telegram.close();
  await drop();
});

/** Resolves once the service was asked at a path, whose answer is held back. */
function pauseAnswers(path: string) {
  const pausedRequest = { reached: Promise.withResolvers<void>(), answers: [] as ServerResponse[] };
  pausedPaths.set(path, pausedRequest);
  return { reached: pausedRequest.reached.promise, release: () => releaseAnswers(path) };
}
function releaseAnswers(path: string): void {
  for (const answer of pausedPaths.get(path)?.answers ?? []) answer.end('{}');
  pausedPaths.delete(path);
}

let made = 0;
/** An automation that is due now, once, and is tried again when it fails. */
async function createDueAutomation(source: string, more: Record<string, unknown> = {}): Promise<string> {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Killed ${(made += 1)}`,
    source,
    triggers: [{ kind: 'cron', cron: '0 0 1 1 *', tz: 'UTC' }],
    tool_grants: [{ tool: 'http_fetch' }, { tool: 'telegram_push' }, { tool: 'confirm_action' }],
    acknowledged_http_fetch_hosts: ['127.0.0.1'],
    max_retries: 1,
    ...more,
  });
  await server.ok('update_automation', { automation_id, state: 'active' });
  await database.rows(`update automations set next_run_at = now() where id = '${automation_id}'`);
  return automation_id;
}

/** The next server finds what the one before left, and ends it. Answers the runs, the first one first. */
async function listRunsAfterKill(automation_id: string) {
  for (const path of pausedPaths.keys()) releaseAnswers(path);
  await endLeases(connectionString);
  server = await startServerProcess(settings, key);
  const runs = async () => (await server.ok('list_automation_runs', { automation_id })).runs.toReversed();
  const isOver = async () => {
    await database.rows(`update automation_runs set due_at = now() where status = 'queued'`);
    const all = await runs();
    return (
      all.length > 0 &&
      all.every(({ status }) => !['queued', 'running'].includes(status)) &&
      all.at(-1)?.status === 'succeeded'
    );
  };
  await expect.poll(isOver, { timeout: 60_000, interval: 500 }).toBe(true);
  return (await runs()).map(({ status, attempt, error }) => ({ status, attempt, error }));
}

/** Locks a table, so that writers wait until `work` is done. */
async function withLockedTable(
  table: string,
  work: (someoneWaits: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const holding = new Client({ connectionString });
  await holding.connect();
  try {
    await holding.query(`begin; lock table ${table} in share row exclusive mode`);
    await work(async () => {
      const waiting = `select count(*)::int as n from pg_locks where not granted and relation = '${table}'::regclass`;
      await expect.poll(async () => (await database.rows(waiting))[0]?.['n'], { timeout: 30_000 }).toBeGreaterThan(0);
    });
  } finally {
    await holding.end();
  }
}

const buildScript = (n: number) => `const until = Date.now() + 1500;
while (args.spin && Date.now() < until);
await brains.http_fetch({ url: "${url}/one" });
const draft = await brains.http_fetch({ url: "${url}/effect-${n}", method: "POST", body: "1" });
await brains.http_fetch({ url: "${url}/two" });
return draft.draft_id;`;

const interrupted = { status: 'failed', attempt: 1, error: expect.stringContaining('process') };
const again = { status: 'succeeded', attempt: 2, error: null };

type Step = { name: string; first: object[]; kill(n: number): Promise<string> };

const steps: Step[] = [
  {
    name: 'after its draft is stored',
    first: [interrupted, again],
    async kill(n) {
      const two = pauseAnswers('/two');
      const id = await createDueAutomation(buildScript(n));
      await two.reached;
      await server.kill();
      return id;
    },
  },
  {
    name: 'before its code has asked for anything',
    first: [again],
    async kill(n) {
      const id = await createDueAutomation(buildScript(n).replace('args.spin && ', ''));
      const isRunning = `select status from automation_runs where automation_id = '${id}'`;
      await expect
        .poll(async () => (await database.rows(isRunning))[0]?.['status'], { timeout: 30_000, interval: 20 })
        .toBe('running');
      await server.kill();
      return id;
    },
  },
  {
    name: 'before its draft',
    first: [interrupted, again],
    async kill(n) {
      const one = pauseAnswers('/one');
      const id = await createDueAutomation(buildScript(n));
      await one.reached;
      await server.kill();
      return id;
    },
  },
  {
    name: 'while its draft is stored',
    first: [interrupted, again],
    async kill(n) {
      const one = pauseAnswers('/one');
      const id = await createDueAutomation(buildScript(n));
      await one.reached;
      await withLockedTable('drafts', async (someoneWaits) => {
        one.release();
        await someoneWaits();
        await server.kill();
      });
      return id;
    },
  },
  {
    name: 'after its code has ended, before that is recorded',
    first: [interrupted, again],
    async kill(n) {
      const two = pauseAnswers('/two');
      const id = await createDueAutomation(buildScript(n));
      await two.reached;
      await withLockedTable('automation_runs', async (someoneWaits) => {
        two.release();
        await someoneWaits();
        await server.kill();
      });
      return id;
    },
  },
];

test.for(selectByDepth(steps, steps.slice(0, 1)))(
  'a server killed $name leaves one pending draft with one effect, and the right outcome of each run',
  { timeout: 180_000 },
  async ({ kill, first }) => {
    const n = made + 1;
    const id = await kill(n);
    expect(await listRunsAfterKill(id)).toEqual(first);
    const drafts = await database.rows(`select id, status from drafts where drafted_by = '${id}'`);
    expect(drafts).toEqual([{ id: expect.any(String), status: 'pending' }]);
    expect(effects).not.toContain(`/effect-${n}`);
    await server.ok('confirm_action', { draft_id: drafts[0]?.['id'] });
    expect(effects.filter((path) => path === `/effect-${n}`)).toHaveLength(1);
  },
);

const buildSelfConfirmingScript = (
  n: number,
) => `const { draft_id } = await brains.telegram_push({ text: "Nudge ${n}" });
await brains.confirm_action({ draft_id });
await brains.http_fetch({ url: "${url}/two" });`;
const countReceived = (n: number) => telegram.messages(user).filter(({ text }) => text === `Nudge ${n}`).length;

const sending: { name: string; kill(n: number): Promise<string> }[] = [
  {
    name: 'after it has sent',
    async kill(n) {
      const two = pauseAnswers('/two');
      const id = await createDueAutomation(buildSelfConfirmingScript(n), { write_policy: 'auto_confirm_safe' });
      await two.reached;
      await server.kill();
      return id;
    },
  },
  ...(['before', 'after'] as const).map((when) => ({
    name: `while its message is on the way, ${when} it arrives`,
    async kill(n: number) {
      const pausedRequest = telegram.failures.pause({ path: /sendMessage/ }, when);
      const id = await createDueAutomation(buildSelfConfirmingScript(n), { write_policy: 'auto_confirm_safe' });
      await pausedRequest.reached;
      await server.kill();
      pausedRequest.release();
      return id;
    },
  })),
];

test.for(selectByDepth(sending, []))(
  'a server killed $name leaves a draft without approval that the next run does not send again',
  { timeout: 180_000 },
  async ({ kill }) => {
    const n = made + 1;
    const id = await kill(n);
    expect(await listRunsAfterKill(id)).toEqual([interrupted, again]);
    const drafts = await database.rows(`select status from drafts where drafted_by = '${id}'`);
    expect(drafts).toHaveLength(1);
    expect(countReceived(n)).toBe(1);
  },
);
