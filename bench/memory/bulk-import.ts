// Measures the speed of bulk imports with default settings, during searches.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureCalls } from '../client.ts';
import { startBenchServer } from '../server-process.ts';
import { median, formatMilliseconds, percentile, type Bench, type Table } from '../table.ts';
import { createBatcher, repeatTurns, listQuestions, readConversations } from './conversations.ts';
import { chooseSize } from '../size.ts';

const count = chooseSize(70_000, 400);
const lanes = 4;
const betweenSearchesMs = 50;
const bars = { importSeconds: 60, searchMs: 50 };

export async function measureBulkImport(bench: Bench): Promise<Table> {
  const sets = readConversations();
  const questions = listQuestions(sets);
  const server = await startBenchServer(await bench.createDatabase(), { settings: {} });
  try {
    const next = createBatcher(repeatTurns(sets, count), 100);
    const begun = performance.now();
    const storing = new AbortController();
    const searching = (async () => {
      const times: number[] = [];
      while (!storing.signal.aborted) {
        times.push(
          ...(await measureCalls(
            () => server.call('search_memory', { q: questions[times.length % questions.length]! }),
            1,
          )),
        );
        await sleep(betweenSearchesMs);
      }
      return times;
    })();
    const store = () => server.call('add_memories_bulk', { memories: next() });
    const { mainThread } = await server.watch(() => measureCalls(store, count / 100, lanes));
    const seconds = (performance.now() - begun) / 1000;
    storing.abort();
    const times = await searching;
    const p95 = percentile(times, 0.95);
    return {
      title: `Bulk import of ${count} memories, ${lanes} callers, default settings, and one who searches`,
      rows: [
        { name: 'memories a second', value: (count / seconds).toFixed(0) },
        {
          name: 'search meanwhile, p50 / p95',
          value: `${formatMilliseconds(median(times))} / ${formatMilliseconds(p95)} (${times.length} searches)`,
        },
        { name: 'main thread, longest computing', value: formatMilliseconds(mainThread.longestCpuMs) },
        {
          name: `bar: ≤ ${bars.importSeconds} s`,
          value: `${seconds.toFixed(1)} s: ${seconds <= bars.importSeconds ? 'met' : 'missed'}`,
        },
        {
          name: `bar: search p95 ≤ ${bars.searchMs} ms`,
          value: `${formatMilliseconds(p95)}: ${p95 <= bars.searchMs ? 'met' : 'missed'}`,
        },
      ],
    };
  } finally {
    await server.stop();
  }
}
