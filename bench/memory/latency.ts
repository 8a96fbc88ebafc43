// How long a search takes by the number of memories in one brain, beside two libraries that search in their own process.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import { timeCalls } from '../client.ts';
import type { MainThreadReport } from '../main-thread-probe.ts';
import { runSql } from '../postgres.ts';
import { startBenchServer } from '../server-process.ts';
import { median, ms, percentile, type Bench, type Table } from '../table.ts';
import { batchesOf, manyTurns, questionsOf, readConversations, type Turn } from './conversations.ts';
import { sized } from '../size.ts';

const sizes = [sized(10_000, 100), sized(50_000, 200), sized(100_000, 300)] as const;
const bars = { searchMs: 15, coldMs: 2_000, mainThreadMs: 50 };
const coldStarts = sized(3, 1);
const retryMs = 50;
/** The first calls are slow because the server and its clients compile their code. */
const warmUps = sized(200, 1);
/** The libraries are much slower, so they get only some of the questions. */
const askedOfLibraries = 20;

type Measured = {
  size: number;
  http: number[];
  cold: number[];
  miniSearch: number[];
  orama: number[];
  busiestMs: number;
};

/** One caller asks every question of the conversation sets. */
export async function benchLatency(bench: Bench): Promise<Table> {
  const sets = readConversations();
  const questions = questionsOf(sets);
  const some = questions.filter((_, at) => at % askedOfLibraries === 0);
  const measured: Measured[] = [];
  for (const size of sizes) {
    bench.note(`${size} memories`);
    const turns = manyTurns(sets, size);
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
    rows: rowsOf(measured),
  };
}

async function measureServer(bench: Bench, turns: readonly Turn[], questions: readonly string[]) {
  const databaseUrl = await bench.createDatabase();
  let server = await startBenchServer(databaseUrl);
  const reports: MainThreadReport[] = [];
  try {
    const next = batchesOf(turns, 100);
    const store = () => server.call('add_memories_bulk', { memories: next() });
    await timeCalls(store, turns.length / 100, 4);
    await runSql(databaseUrl, 'vacuum analyze'); // PostgreSQL does this by itself, about a minute later
    const cold: number[] = [];
    for (let start = 0; start < coldStarts; start += 1) {
      await server.stop();
      server = await startBenchServer(databaseUrl);
      const search = () => server.call('search_memory', { q: questions[start]! });
      const { value, mainThread } = await server.watch(() => timeCalls(() => retryWhileLoading(search), 1));
      cold.push(...value);
      reports.push(mainThread);
    }
    await timeCalls(
      asker(questions, (q) => server.call('search_memory', { q })),
      warmUps,
    );
    const ask = asker(questions, (q) => server.call('search_memory', { q }));
    const { value: http, mainThread } = await server.watch(() => timeCalls(ask, questions.length));
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
  return timed(questions, (q) => index.search(q));
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

function timed(questions: readonly string[], search: (question: string) => unknown): number[] {
  return questions.map((question) => {
    const begun = performance.now();
    search(question);
    return performance.now() - begun;
  });
}

function asker<Result>(questions: readonly string[], ask: (question: string) => Result): () => Result {
  let at = 0;
  return () => ask(questions[at++ % questions.length]!);
}

function rowsOf(measured: readonly Measured[]): Table['rows'] {
  const largest = measured.at(-1)!;
  const growth = (of: (each: Measured) => number[]) => median(of(largest)) / median(of(measured[0]!));
  const row = (name: string, of: (each: Measured) => number[]) => ({
    name,
    value: `${measured.map((each) => `${ms(median(of(each)))} / ${ms(percentile(of(each), 0.95))}`).join('   ')}   (×${growth(of).toFixed(1)})`,
  });
  const [p95, cold] = [percentile(largest.http, 0.95), median(largest.cold)];
  const busiest = Math.max(...measured.map(({ busiestMs }) => busiestMs));
  return [
    row('search_memory over HTTP', ({ http }) => http),
    row('MiniSearch in its own process', ({ miniSearch }) => miniSearch),
    row('Orama in its own process', ({ orama }) => orama),
    row('first search after a start', ({ cold: times }) => times),
    { name: `bar: p95 at ${largest.size} ≤ ${bars.searchMs} ms`, value: verdict(p95, bars.searchMs) },
    { name: `bar: cold load of ${largest.size} ≤ ${bars.coldMs} ms`, value: verdict(cold, bars.coldMs) },
    { name: `bar: main thread never over ${bars.mainThreadMs} ms`, value: verdict(busiest, bars.mainThreadMs) },
  ];
}

function verdict(measured: number, bar: number): string {
  return `${ms(measured)}: ${measured <= bar ? 'met' : 'missed'}`;
}
