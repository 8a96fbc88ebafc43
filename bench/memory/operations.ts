// How long memory takes by the number of memories, and how long its work keeps the main thread from everything else.
import { measureCalls } from '../client.ts';
import type { MainThreadReport } from '../main-thread-probe.ts';
import { createTexts, type Texts } from './texts.ts';
import { runSql } from '../postgres.ts';
import { startBenchServer, type BenchServer } from '../server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import { chooseSize } from '../size.ts';

const sizes = [chooseSize(1_000, 400), chooseSize(10_000, 500), chooseSize(50_000, 600)] as const;
const perBulk = 100;
const rounds = chooseSize(10, 1);
const callsPerRound = chooseSize(15, 1);
const coldStarts = chooseSize(3, 1);
const barMs = 50;

/** A server with this many memories, and its measurements. */
type Subject = {
  size: number;
  databaseUrl: string;
  server: BenchServer;
  texts: Texts;
  times: Map<string, number[]>;
};
type PhaseReport = { phase: string } & MainThreadReport;

/**
 * Measures memory operations over HTTP at 1,000, 10,000 and 50,000 memories: a server and a database for each size, in
 * turns. A probe in the servers tells the longest time their main thread was kept busy; the bar is 50 ms, in any phase.
 */
export async function measureOperations(bench: Bench): Promise<Table> {
  const subjects: Subject[] = [];
  const seen: PhaseReport[] = [];
  try {
    for (const size of sizes) {
      bench.note(`storing ${size} memories`);
      subjects.push(await fill(size, bench, seen));
    }
    for (const { name, lanes, call } of operations) {
      bench.note(`${name}, in turns over the sizes`);
      for (let round = 0; round < rounds; round += 1) {
        for (const subject of subjects)
          await measure(subject, name, call, { lanes, count: callsPerRound * lanes }, seen);
      }
    }
    for (let start = 0; start < coldStarts; start += 1) {
      bench.note(`first search after a cold start, ${start + 1} of ${coldStarts}`);
      for (const subject of subjects) await measureColdStart(subject, seen);
    }
    bench.note('the largest inputs and answers');
    const largest = await measureLargest(subjects.at(-1)!, seen);
    return {
      title: `Memory by number of memories (${sizes.join(', ')}), p50 / p95 of one call`,
      rows: [...buildLatencyRows(subjects), ...largest, ...buildMainThreadRows(seen)],
    };
  } finally {
    for (const { server } of subjects) await server.stop();
  }
}

type Call = (subject: Subject) => Promise<unknown>;

const operations: { name: string; lanes: number; call: Call }[] = [
  { name: 'add_memory', lanes: 1, call: ({ server, texts }) => server.call('add_memory', texts.memory()) },
  { name: 'search_memory', lanes: 1, call: ({ server, texts }) => server.call('search_memory', { q: texts.query() }) },
  { name: 'list_memories', lanes: 1, call: ({ server }) => server.call('list_memories', {}) },
  {
    name: 'load_brain',
    lanes: 1,
    call: ({ server, texts }) => server.call('load_brain', { context: texts.text(300) }),
  },
  {
    name: 'add and search, 8 at a time',
    lanes: 8,
    call: async ({ server, texts }) => {
      await server.call('add_memory', texts.memory());
      await server.call('search_memory', { q: texts.query() });
    },
  },
];

async function fill(size: number, bench: Bench, seen: PhaseReport[]): Promise<Subject> {
  const databaseUrl = await bench.createDatabase();
  const server = await startBenchServer(databaseUrl);
  const subject: Subject = { size, databaseUrl, server, texts: createTexts(size), times: new Map() };
  const store = () =>
    server.call('add_memories_bulk', { memories: Array.from({ length: perBulk }, () => subject.texts.memory()) });
  // A server just started spends its first calls on compiling what it runs.
  await measureCalls(store, 3);
  const { value, mainThread } = await server.watch(() => measureCalls(store, size / perBulk - 3));
  subject.times.set(
    'add_memories_bulk, one of 100',
    value.map((time) => time / perBulk),
  );
  seen.push({ phase: `add_memories_bulk at ${size}`, ...mainThread });
  // PostgreSQL does this by itself, about a minute later.
  await runSql(databaseUrl, 'vacuum analyze');
  await server.call('search_memory', { q: subject.texts.query() });
  return subject;
}

async function measure(
  subject: Subject,
  name: string,
  call: Call,
  { lanes, count }: { lanes: number; count: number },
  seen: PhaseReport[],
): Promise<void> {
  const { value, mainThread } = await subject.server.watch(() => measureCalls(() => call(subject), count, lanes));
  note(subject, name, value);
  seen.push({ phase: `${name} at ${subject.size}`, ...mainThread });
}

async function measureColdStart(subject: Subject, seen: PhaseReport[]): Promise<void> {
  await subject.server.stop();
  subject.server = await startBenchServer(subject.databaseUrl);
  const name = 'first search after a cold start';
  const search = () => subject.server.call('search_memory', { q: subject.texts.query() });
  const { value, mainThread } = await subject.server.watch(() => measureCalls(search, 1));
  note(subject, name, value);
  seen.push({ phase: `${name} at ${subject.size}`, ...mainThread });
}

/** What the limits of inputs and answers allow at most. */
async function measureLargest({ server, texts }: Subject, seen: PhaseReport[]): Promise<Table['rows']> {
  const largest = 32_000;
  const phases: { name: string; call: () => Promise<unknown> }[] = [
    {
      name: 'add_memory of 32,000 characters',
      call: () => server.call('add_memory', { content: texts.text(largest) }),
    },
    {
      name: 'add_memories_bulk of 100 × 32,000 characters',
      call: () => server.call('add_memories_bulk', { memories: buildLargeMemories(texts, largest) }),
    },
    { name: 'list_memories of 100 × 32,000 characters', call: () => server.call('list_memories', { limit: 100 }) },
    {
      name: 'search_memory of 20 × 32,000 characters',
      call: () => server.call('search_memory', { q: texts.query(), limit: 20 }),
    },
    {
      name: 'load_brain of 50,000 tokens',
      call: () => server.call('load_brain', { context: texts.text(4_000), max_tokens: 50_000 }),
    },
  ];
  const rows: Table['rows'] = [];
  for (const { name, call } of phases) {
    const { value, mainThread } = await server.watch(() => measureCalls(call, 5));
    seen.push({ phase: name, ...mainThread });
    rows.push({ name, value: formatMilliseconds(median(value)) });
  }
  return rows;
}

function buildLargeMemories(texts: Texts, characters: number) {
  return Array.from({ length: perBulk }, () => ({ content: texts.text(characters) }));
}

function note({ times }: Subject, name: string, values: readonly number[]): void {
  times.set(name, [...(times.get(name) ?? []), ...values]);
}

function buildLatencyRows(subjects: readonly Subject[]): Table['rows'] {
  const names = [...subjects[0]!.times.keys()];
  return names.map((name) => {
    const all = subjects.map(({ times }) => times.get(name) ?? []);
    const shown = all.map(
      (times) => `${formatMilliseconds(median(times))} / ${formatMilliseconds(percentile(times, 0.95))}`,
    );
    const growth = median(all.at(-1)!) / median(all[0]!);
    return { name, value: `${shown.join('   ')}   (×${growth.toFixed(1)})` };
  });
}

/** The worst of each phase's rounds, and whether all keep to the bar. */
function buildMainThreadRows(seen: readonly PhaseReport[]): Table['rows'] {
  const byPhase = Map.groupBy(seen, ({ phase }) => phase);
  const rows = [...byPhase].map(([phase, reports]) => {
    const worst = (of: keyof MainThreadReport) => Math.max(...reports.map((report) => report[of]));
    const value = `${formatMilliseconds(worst('longestCpuMs'))} computing, ${formatMilliseconds(worst('longestWallMs'))} on the clock, ${formatMilliseconds(worst('longestDelayMs'))} event loop delay`;
    return { name: `main thread, ${phase}`, value };
  });
  const isWithinBar = seen.every(({ longestCpuMs }) => longestCpuMs <= barMs);
  return [...rows, { name: `bar: main thread never blocked over ${barMs} ms`, value: isWithinBar ? 'met' : 'missed' }];
}
