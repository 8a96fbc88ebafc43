// Measures the speed of bulk imports with default settings, during searches.
import { setTimeout as sleep } from 'node:timers/promises';
import { timeCalls } from '../client.ts';
import { startBenchServer } from '../server-process.ts';
import { median, ms, percentile, type Bench, type Table } from '../table.ts';
import { batchesOf, manyTurns, questionsOf, readConversations } from './conversations.ts';
import { sized } from '../size.ts';

const count = sized(70_000, 400);
const lanes = 4;
const betweenSearchesMs = 50;
const bars = { importSeconds: 60, searchMs: 50 };

export async function benchBulkImport(bench: Bench): Promise<Table> {
  const sets = readConversations();
  const questions = questionsOf(sets);
  const server = await startBenchServer(await bench.createDatabase(), { settings: {} });
  try {
    const next = batchesOf(manyTurns(sets, count), 100);
    const begun = performance.now();
    const storing = new AbortController();
    const searching = (async () => {
      const times: number[] = [];
      while (!storing.signal.aborted) {
        times.push(
          ...(await timeCalls(
            () => server.call('search_memory', { q: questions[times.length % questions.length]! }),
            1,
          )),
        );
        await sleep(betweenSearchesMs);
      }
      return times;
    })();
    const store = () => server.call('add_memories_bulk', { memories: next() });
    const { mainThread } = await server.watch(() => timeCalls(store, count / 100, lanes));
    const seconds = (performance.now() - begun) / 1000;
    storing.abort();
    const times = await searching;
    const p95 = percentile(times, 0.95);
    return {
      title: `Bulk import of ${count} memories, ${lanes} callers, default settings, and one who searches`,
      rows: [
        { name: 'memories a second', value: (count / seconds).toFixed(0) },
        { name: 'search meanwhile, p50 / p95', value: `${ms(median(times))} / ${ms(p95)} (${times.length} searches)` },
        { name: 'main thread, longest computing', value: ms(mainThread.longestCpuMs) },
        {
          name: `bar: ≤ ${bars.importSeconds} s`,
          value: `${seconds.toFixed(1)} s: ${seconds <= bars.importSeconds ? 'met' : 'missed'}`,
        },
        {
          name: `bar: search p95 ≤ ${bars.searchMs} ms`,
          value: `${ms(p95)}: ${p95 <= bars.searchMs ? 'met' : 'missed'}`,
        },
      ],
    };
  } finally {
    await server.stop();
  }
}
