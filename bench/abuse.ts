// How long `/healthz` takes while one caller sends what once held the server up, beside its quiet figure of the same run.
import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { startBenchServer, type BenchServer } from './server-process.ts';
import { formatMilliseconds, percentile, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const quietMs = chooseSize(2_000, 20);
const leastMs = chooseSize(1_500, 1);
const barMs = 50;

type Send = () => Promise<unknown>;
type Attack = readonly [what: string, send: Send];

/** The bar: a p99 of at most 50 ms during each. */
export async function measureAbuse(bench: Bench): Promise<Table> {
  const server = await startBenchServer(await bench.createDatabase(), {
    settings: { THALAMUS_RATE_LIMIT: '10000000' },
  });
  const probe = new Pool(server.url, { connections: 1 });
  const raw = new Pool(server.url, { connections: 4, headersTimeout: 120_000 });
  try {
    const attacks = await prepareAttacks(server, raw);
    const rows = [];
    for (const [what, send] of attacks) {
      bench.note(what);
      const quiet = await measureLatencies(probe, () => pause(quietMs));
      const during = await measureLatencies(probe, () => repeat(send));
      const [before, after] = [percentile(quiet, 0.99), percentile(during, 0.99)];
      const verdict = after <= barMs ? 'met' : 'missed';
      rows.push({
        name: what,
        value: `p99 ${formatMilliseconds(after)}, quiet ${formatMilliseconds(before)}; bar ≤ ${barMs} ms: ${verdict}`,
      });
    }
    return { title: '/healthz while one caller sends it', rows };
  } finally {
    await Promise.all([probe.close(), raw.destroy()]);
    await server.stop();
  }
}

/** The times of sequential requests until some work has ended. */
async function measureLatencies(probe: Pool, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const working = work().finally(() => (state.isOver = true));
  do {
    const begun = performance.now();
    const { body } = await probe.request({ method: 'GET', path: '/healthz' });
    await body.dump();
    times.push(performance.now() - begun);
    await pause(2);
  } while (!state.isOver);
  await working;
  return times;
}

async function repeat(send: Send): Promise<void> {
  const until = performance.now() + leastMs;
  do await send();
  while (performance.now() < until);
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}

const form = Buffer.from('a&'.repeat(450_000));

async function prepareAttacks(server: BenchServer, raw: Pool): Promise<Attack[]> {
  const brainId = (await server.call('create_brain', { name: 'Attacked' }))['brain_id'];
  const post = (path: string, body: string | Buffer, headers: Record<string, string>) => async () => {
    const answer = await raw.request({ method: 'POST', path, body, headers });
    await answer.body.dump();
  };
  const connector = async (name: string, more: object) => {
    const given = { name, brain_id: brainId, webhook_secret: 'a-long-random-text', ...more };
    return `/v1/webhook/${String((await server.call('create_webhook_connector', given))['webhook_slug'])}`;
  };
  const plain = await connector('Plain', { signature_scheme: 'hmac_sha256' });
  const twilio = await connector('Twilio', { signature_scheme: 'provider', provider: 'twilio' });
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
  const asJson = { 'content-type': 'application/json', authorization: `Bearer ${server.key}` };
  const marks = `a${'\u0301\u0316'.repeat(150_000)}`;
  const loose = `{"content":"${'\\"'.repeat(50_000)}\n${'"'.repeat(100_000)}`;
  const turns = [
    { role: 'user', content: '<a>'.repeat(66_000) },
    { role: 'assistant', content: `${'<b>'.repeat(60_000)}. x` },
  ];
  const spaces = await createAutomation(server, 'Spaces', `import${' '.repeat(2_500)}`);
  const idle = await createAutomation(server, 'Idle', 'await new Promise(() => {});');
  const often = await createAutomation(server, 'Often', 'return 1', 20);
  let saved = 0;
  return [
    [
      '15: an ingest of 300,000 combining marks',
      () => server.call('ingest', { content: marks, target_brain_id: brainId }),
    ],
    ['15: a search beside these marks', () => server.call('search_memory', { q: 'harbour' })],
    ['16: a run of import and 2,500 spaces', () => run(server, spaces)],
    ['16: an unsigned form of 900 KB', post(plain, form, asForm)],
    ['16: the same in 910 bytes of gzip', post(plain, gzipSync(form), { ...asForm, 'content-encoding': 'gzip' })],
    ['16: an unsigned form for Twilio', post(twilio, form, { ...asForm, 'x-twilio-signature': 'AAAA' })],
    ['16: loose JSON of 200 KB', post('/v1/ingest', loose, asJson)],
    ['16: a form of 900 KB to /oauth/device', post('/oauth/device', form, { ...asForm, origin: server.url })],
    ['16: JSON of 400,000 levels', post('/v1/tools/who_am_i', '['.repeat(400_000) + ']'.repeat(400_000), asJson)],
    [
      '16: a chat of tags',
      () => server.call('save_chat_session', { title: `t${(saved += 1)}`, turns }).catch(ignoreFailure),
    ],
    ['16: an estimate of 20 schedules', () => server.call('estimate_automation_cost', { automation_id: often })],
    ['17: runs that never end', () => Promise.all([1, 2, 3, 4].map(() => run(server, idle)))],
  ];
}

/** The answer to an attack does not matter here. */
function ignoreFailure(): void {}

async function createAutomation(server: BenchServer, name: string, source: string, schedules = 0): Promise<string> {
  const triggers = schedules
    ? Array.from({ length: schedules }, (_, at) => ({ kind: 'cron', cron: `*/${at + 1} * * * *`, tz: 'Europe/Paris' }))
    : [{ kind: 'manual' }];
  const given = { name, source, triggers, tool_grants: [{ tool: 'add_memory' }], max_wall_seconds: 5 };
  return String((await server.call('save_automation_draft', given))['automation_id']);
}

async function run(server: BenchServer, automation_id: string): Promise<void> {
  await server.call('run_automation_once', { automation_id }).catch(ignoreFailure);
}
