// What `execute` and the faces cost on top of a route written by hand, and how often an answer waits for the database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, measureCalls, type Client } from './client.ts';
import type { OperationServers } from './operation-servers.ts';
import { startCollector } from './collector.ts';
import { startSlowProxy } from '../tests/support/slow-proxy.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const key = `cm_${'benchmark'.repeat(5)}`;
const rounds = chooseSize(30, 1);
const warmUpRounds = chooseSize(10, 0);
const callsPerRound = chooseSize(160, 2);
const roundTripMs = 25;

type Subject = { name: string; call: () => Promise<unknown> };
type Running = { clients: Record<'product' | 'kernel' | 'bare', Client>; brainId: string; stop(): Promise<void> };

/**
 * Measures a read operation against a bare Hono and zod route that reads the same row by the same query on an equal
 * pool, over loopback HTTP, in turns; and both without a database. The bar: at most 0.3 ms more, database time apart,
 * and at most one round trip more when warm. Then the operation beside itself with traces exported.
 */
export async function measureOperation(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  const running = await start(databaseUrl);
  let rows: Table['rows'];
  try {
    bench.note('one call after the other');
    const sequential = await measure(createSubjects(running), 1);
    bench.note('8 calls at a time');
    const parallel = await measure(createSubjects(running), 8);
    rows = [...describe(sequential, 'one by one'), ...describe(parallel, '8 at a time'), buildVerdictRow(sequential)];
    bench.note('with and without an exporter of traces');
    rows.push(...(await compareTracing(databaseUrl, running)));
  } finally {
    await running.stop();
  }
  bench.note('round trips');
  rows.push(...(await countRoundTrips(databaseUrl)));
  return { title: `A read operation against a bare Hono + zod route, median of ${rounds} rounds in turns`, rows };
}

function createSubjects({ clients, brainId }: Running) {
  const call = (client: Client, operation: string) => () => client.call(operation, { id: brainId });
  return {
    bareRead: call(clients.bare, 'read_one_row'),
    read: call(clients.product, 'read_one_row'),
    bareNothing: call(clients.bare, 'read_nothing'),
    nothing: call(clients.kernel, 'read_nothing'),
    begun: call(clients.product, 'read_nothing'),
  };
}

type Name = keyof ReturnType<typeof createSubjects>;
/** For each subject the median time of a call in each round. */
type Times<Subject extends string = Name> = Record<Subject, number[]>;

async function measure<Subject extends string>(
  subjects: Record<Subject, () => Promise<unknown>>,
  lanes: number,
): Promise<Times<Subject>> {
  const names = Object.keys(subjects) as Subject[]; // the keys of a record are its names
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Times<Subject>;
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of names) {
      const middle = median(await measureCalls(subjects[name], callsPerRound, lanes));
      if (round >= warmUpRounds) times[name].push(middle);
    }
  }
  return times;
}

/** The middle of what the rounds say one takes longer than the other. */
function computeDifference(times: Times, one: Name, other: Name): { middle: number; low: number; high: number } {
  const each = times[one].map((time, round) => time - (times[other][round] ?? Number.NaN));
  return { middle: median(each), low: percentile(each, 0.25), high: percentile(each, 0.75) };
}

function describe(times: Times, how: string): Table['rows'] {
  const show = (one: Name, other: Name) => {
    const { middle, low, high } = computeDifference(times, one, other);
    return `+${formatMilliseconds(middle)} (quartiles ${formatMilliseconds(low)}, ${formatMilliseconds(high)})`;
  };
  return [
    { name: `bare route, ${how}`, value: formatMilliseconds(median(times.bareRead)) },
    { name: `operation, ${how}`, value: `${formatMilliseconds(median(times.read))}, ${show('read', 'bareRead')}` },
    { name: `bare route, no database, ${how}`, value: formatMilliseconds(median(times.bareNothing)) },
    {
      name: `operation, no database, ${how}`,
      value: `${formatMilliseconds(median(times.nothing))}, ${show('nothing', 'bareNothing')}`,
    },
    { name: `operation that reads nothing in its transaction, ${how}`, value: formatMilliseconds(median(times.begun)) },
  ];
}

function buildVerdictRow(times: Times): Table['rows'][number] {
  const { middle } = computeDifference(times, 'nothing', 'bareNothing');
  return { name: 'bar: ≤ 0.30 ms, database time apart', value: middle <= 0.3 ? 'met' : 'missed' };
}

/**
 * Counted by what it costs: between server and PostgreSQL stands a proxy that holds each answer back for 25 ms, so that
 * a call takes 25 ms for each round trip it waits for, and nothing for those it does not wait for.
 */
async function countRoundTrips(databaseUrl: string): Promise<Table['rows']> {
  const proxy = await startSlowProxy(databaseUrl, roundTripMs);
  const running = await start(proxy.connectionString);
  try {
    const { bareRead, read } = createSubjects(running);
    const count = async (call: Subject['call'], calls: number, pauseMs: number) => {
      const times: number[] = [];
      for (let i = 0; i < calls; i += 1) {
        await sleep(pauseMs);
        times.push(...(await measureCalls(call, 1)));
      }
      return `${Math.round(median(times) / roundTripMs)} (${formatMilliseconds(median(times))} at ${roundTripMs} ms each)`;
    };
    for (const call of [bareRead, read]) await measureCalls(call, 60, 8); // opens every connection
    const bare = await count(bareRead, 20, 0);
    const warm = await count(read, 20, 0);
    return [
      { name: 'round trips awaited, bare route', value: bare },
      { name: 'round trips awaited, operation, warm', value: warm },
      { name: 'round trips awaited, operation, first in over a second', value: await count(read, 5, 1_100) },
      {
        name: 'bar: at most one more when warm',
        value: Number.parseInt(warm, 10) - Number.parseInt(bare, 10) <= 1 ? 'met' : 'missed',
      },
    ];
  } finally {
    await running.stop();
    proxy.close();
  }
}

/** The same operation of two equal server processes in turns; one exports its traces to a collector that takes everything. */
async function compareTracing(databaseUrl: string, plain: Running): Promise<Table['rows']> {
  const collector = await startCollector();
  const traced = await start(databaseUrl, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  });
  try {
    const subjects = { without: createSubjects(plain).read, with: createSubjects(traced).read };
    const rows: Table['rows'] = [];
    for (const [lanes, how] of [
      [1, 'one by one'],
      [8, '8 at a time'],
    ] as const) {
      const times = await measure(subjects, lanes);
      const ratios = times.with.map((time, round) => time / (times.without[round] ?? Number.NaN));
      const value = `${formatMilliseconds(median(times.with))} against ${formatMilliseconds(median(times.without))}: ${median(ratios).toFixed(2)} ×`;
      rows.push({ name: `operation, traces exported, ${how}`, value });
    }
    return [...rows, { name: 'traces that the collector took', value: `${collector.countRequests()} requests` }];
  } finally {
    await traced.stop();
    await collector.close();
  }
}

async function start(databaseUrl: string, environment: Record<string, string> = {}): Promise<Running> {
  const script = join(import.meta.dirname, 'operation-servers.ts');
  const child = spawn(process.execPath, [script, databaseUrl, key], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error('the servers ended');
  });
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [OperationServers];
  failed.catch(() => {});
  const clients = {
    product: connectTo(message.product, key),
    kernel: connectTo(message.kernel, key),
    bare: connectTo(message.bare, key),
  };
  return {
    clients,
    brainId: message.brainId,
    async stop() {
      await Promise.all(Object.values(clients).map((client) => client.close()));
      child.disconnect();
      await exited;
    },
  };
}
