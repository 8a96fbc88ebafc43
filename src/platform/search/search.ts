import { Worker } from 'node:worker_threads';
import type { PoolConfig } from 'pg';
import type { Log } from '#platform/log';
import type { Calls, LoadProgress, WorkerSettings } from './messages.ts';
import { askOutside } from '#platform/late-answers';
import { createLateError } from './late-error.ts';
import { checkOperators } from './operators.ts';
import type { PassageAnswer, PassageQuery } from './passage-indexes.ts';
import type { SearchAnswer, SearchQuery, SimilarAnswer, SimilarQuery } from './search-query.ts';
import { createWorkerClient } from './worker-client.ts';

export type Search = {
  /**
   * Ranks the content of the brains for a query. Finds every write that was committed before the call. Throws
   * `invalid_input`, and `unavailable` with the progress while a brain takes long to load.
   */
  find(query: SearchQuery): Promise<SearchAnswer>;
  /** Ranks the content of a brain by likeness to a text. */
  similar(query: SimilarQuery): Promise<SimilarAnswer>;
  /** Ranks the passages of documents. Finds every document that was stored before the call. */
  findPassages(query: PassageQuery): Promise<PassageAnswer>;
  /** The time since the last search, in ms. Work that can wait should leave the thread to searches. */
  idleMs(): number;
  /** Starts the thread early: the first call would otherwise wait a third of a second for it. */
  warmUp(): void;
  /** Ends the thread and its connections. Unanswered calls fail. */
  close(): Promise<void>;
};

export type SearchOptions = {
  /** Plain data, with a role that row level security restricts to `thalamus.workspace_id`. */
  readonly connection: PoolConfig;
  /** The approximate limit of all indexes in memory together. One that is being searched may exceed it. */
  readonly memoryMb?: number;
  readonly log?: Pick<Log, 'warn'>;
};

const usualMemoryMb = 512;
/** A thread that exceeds its heap is ended and restarted, instead of ending the process. */
const leastHeapMb = 2_048;
/** Nearly all memory of a load stays in use, so garbage is collected less often than usual. */
const youngHeapMb = 96;

/** Search over the `searchable` view. A thread does the work. Fails with `unavailable`. */
export function createSearch({ connection, memoryMb = usualMemoryMb, log }: SearchOptions): Search {
  const loads = new Map<string, LoadProgress>();
  const client = createWorkerClient({
    onNotice: ({ brainId, progress }) => void (progress ? loads.set(brainId, progress) : loads.delete(brainId)),
    start: (marks, skippedRows) =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: { connection, memoryMb, marks, skippedRows } satisfies WorkerSettings,
        resourceLimits: {
          maxOldGenerationSizeMb: Math.max(leastHeapMb, 4 * memoryMb),
          maxYoungGenerationSizeMb: youngHeapMb,
        },
      }),
    log,
  });
  /** No transaction waits for a brain to load. */
  function ask<Name extends keyof Calls>(call: Name, query: Calls[Name]['query'], brainIds: readonly string[]) {
    const late = () => createLateError(brainIds.flatMap((brainId) => loads.get(brainId) ?? []));
    return askOutside(buildQuestionKey(call, query), () => client.call(call, query), late);
  }
  let lastFindAt = Number.NEGATIVE_INFINITY;
  let finding = 0;
  return {
    async find(query) {
      checkOperators(query.text);
      finding += 1;
      try {
        return await ask('find', query, query.brainIds);
      } finally {
        finding -= 1;
        lastFindAt = performance.now();
      }
    },
    idleMs: () => (finding > 0 ? 0 : performance.now() - lastFindAt),
    similar: (query) => ask('similar', query, [query.brainId]),
    findPassages: (query) => ask('passages', query, query.brainIds),
    warmUp: () => client.warmUp(),
    close: () => client.close(),
  };
}

/** Queries with the same meaning have the same vector, which would be useless as a key in words. */
function buildQuestionKey(call: string, query: Calls[keyof Calls]['query']): string {
  return JSON.stringify([call, { ...query, meaning: 'meaning' in query }]);
}
