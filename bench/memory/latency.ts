// How long a search takes by the number of memories in one brain, beside two libraries that search in their own process.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import { measureCalls } from '../client.ts';
import type { MainThreadReport } from '../main-thread-probe.ts';
import { runSql } from '../postgres.ts';
import { startBenchServer } from '../server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import { createBatcher, repeatTurns, listQuestions, readConversations, type Turn } from './conversations.ts';
import { chooseSize } from '../size.ts';

const sizes = [chooseSize(10_000, 100), chooseSize(50_000, 200), chooseSize(100_000, 300)] as const;
const bars = { searchMs: 15, coldMs: 2_000, mainThreadMs: 50 };
const coldStarts = chooseSize(3, 1);
const retryMs = 50;
/** The first calls are slow because the server and its clients compile their code. */
const warmUps = chooseSize(200, 1);
/** The libraries are much slower, so they get only some of the questions. */
const askedOfLibraries = 20;

type LatencyMeasurement = {
  size: number;
  http: number[];
  cold: number[];
  miniSearch: number[];
  orama: number[];
  busiestMs: number;
};

/** One caller asks every question of the conversation sets. */
export async function measureLatency(bench: Bench): Promise<Table> {
  const sets = readConversations();
  const questions = listQuestions(sets);
  const some = questions.filter((_, at) => at % askedOfLibraries === 0);
  const measured: LatencyMeasurement[] = [];
  for (const size of sizes) {
    bench.note(`${size} memories`);
    const turns = repeatTurns(sets, size);
    const served = await measureServer(bench, turns, questions);
    bench.note(`${size} in the libraries`);
    measured.push({
      size,
      ...served,
      miniSearch: measureMiniSearch(turns, some),
      orama: await measureOrama(turns, some),
    });
  }
  return {
    title: `Search by memories in one brain (${sizes.join(', ')}), p50 / p95, ${questions.length} questions`,
    rows: buildRows(measured),
  };
}

async function measureServer(bench: Bench, turns: readonly Turn[], questions: readonly string[]) {
  const databaseUrl = await bench.createDatabase();
  let server = await startBenchServer(databaseUrl);
  const reports: MainThreadReport[] = [];
  try {
    const next = createBatcher(turns, 100);
    const store = () => server.call('add_memories_bulk', { memories: next() });
    await measureCalls(store, turns.length / 100, 4);
    await runSql(databaseUrl, 'vacuum analyze'); // PostgreSQL does this by itself, about a minute later
    const cold: number[] = [];
    for (let start = 0; start < coldStarts; start += 1) {
      await server.stop();
      server = await startBenchServer(databaseUrl);
      const search = () => server.call('search_memory', { q: questions[start]! });
      const { value, mainThread } = await server.watch(() => measureCalls(() => retryWhileLoading(search), 1));
      cold.push(...value);
      reports.push(mainThread);
    }
    await measureCalls(
      createAsker(questions, (q) => server.call('search_memory', { q })),
      warmUps,
    );
    const ask = createAsker(questions, (q) => server.call('search_memory', { q }));
    const { value: http, mainThread } = await server.watch(() => measureCalls(ask, questions.length));
    reports.push(mainThread);
    return { http, cold, busiestMs: Math.max(...reports.map(({ longestCpuMs }) => longestCpuMs)) };
  } finally {
    await server.stop();
  }
}

/** A slow machine answers that the brain is still being loaded; then the first search takes longer, and the bar decides. */
async function retryWhileLoading<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes('"code":"unavailable"')) throw error;
      await sleep(retryMs);
    }
}

function measureMiniSearch(turns: readonly Turn[], questions: readonly string[]): number[] {
  const index = new MiniSearch<Turn & { id: number }>({ fields: ['content', 'author'] });
  index.addAll(turns.map((turn, id) => ({ ...turn, id })));
  return measureSearches(questions, (q) => index.search(q));
}

async function measureOrama(turns: readonly Turn[], questions: readonly string[]): Promise<number[]> {
  const index = create({ schema: { content: 'string', author: 'string' } as const });
  await insertMultiple(index, [...turns], 1_000);
  const times: number[] = [];
  for (const term of questions) {
    const begun = performance.now();
    await searchOrama(index, { term, limit: 10 });
    times.push(performance.now() - begun);
  }
  return times;
}

function measureSearches(questions: readonly string[], search: (question: string) => unknown): number[] {
  return questions.map((question) => {
    const begun = performance.now();
    search(question);
    return performance.now() - begun;
  });
}

function createAsker<Result>(questions: readonly string[], ask: (question: string) => Result): () => Result {
  let at = 0;
  return () => ask(questions[at++ % questions.length]!);
}

function buildRows(measured: readonly LatencyMeasurement[]): Table['rows'] {
  const largest = measured.at(-1)!;
  const growth = (of: (each: LatencyMeasurement) => number[]) => median(of(largest)) / median(of(measured[0]!));
  const row = (name: string, of: (each: LatencyMeasurement) => number[]) => ({
    name,
    value: `${measured.map((each) => `${formatMilliseconds(median(of(each)))} / ${formatMilliseconds(percentile(of(each), 0.95))}`).join('   ')}   (×${growth(of).toFixed(1)})`,
  });
  const [p95, cold] = [percentile(largest.http, 0.95), median(largest.cold)];
  const busiest = Math.max(...measured.map(({ busiestMs }) => busiestMs));
  return [
    row('search_memory over HTTP', ({ http }) => http),
    row('MiniSearch in its own process', ({ miniSearch }) => miniSearch),
    row('Orama in its own process', ({ orama }) => orama),
    row('first search after a start', ({ cold: times }) => times),
    { name: `bar: p95 at ${largest.size} ≤ ${bars.searchMs} ms`, value: formatVerdict(p95, bars.searchMs) },
    { name: `bar: cold load of ${largest.size} ≤ ${bars.coldMs} ms`, value: formatVerdict(cold, bars.coldMs) },
    { name: `bar: main thread never over ${bars.mainThreadMs} ms`, value: formatVerdict(busiest, bars.mainThreadMs) },
  ];
}

function formatVerdict(measured: number, bar: number): string {
  return `${formatMilliseconds(measured)}: ${measured <= bar ? 'met' : 'missed'}`;
}
