// Links memories that were stored in bulk to others, afterwards and with low priority.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#kernel/context';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { defineJob, type Job } from '#kernel/module';
import type { Jobs } from '#platform/jobs';
import type { Search, SimilarAnswer } from '#platform/search';
import { findSimilar, relate } from './related.ts';
import { findMemories, type NewMemory } from '../store/memories.ts';

const jobName = 'memory.link';
/** Newer memories among the similar ones are linked by their own jobs, so more are requested than are linked. */
const likeAsked = 12;
/** Imports take precedence: linking begins after a pause of this length, and waits no longer than that. */
const quietMs = 2_000;
const longestWaitMs = 5 * 60_000;
/** Searches take precedence, too: linking waits for a pause between searches, with a limit. */
const pauseMs = 200;
const longestWaitForPauseMs = 1_000;
let lastStoredAt = 0;
const restPerWork = 1;

type LinkDeps = { transactions: Transactions; search: Search };

/** Requests linking of memories for when the transaction has committed. */
export async function enqueueLinking(jobs: Jobs, db: Db, workspaceId: string, ids: readonly string[], now: Date) {
  lastStoredAt = performance.now();
  await jobs.enqueue(db, jobName, { workspaceId, ids }, { at: new Date(now.getTime() + quietMs) });
}

const nothingSimilar: SimilarAnswer = { hits: [], total: 0, confidence: 0, selfScore: 0 };

/**
 * Finds memories similar to a new one. While search cannot answer, such as before its brain is loaded, the memory is
 * stored anyway and the job links it.
 */
export async function findSimilarOrLinkLater(
  jobs: Jobs,
  ctx: Context,
  search: Search,
  memory: NewMemory,
): Promise<SimilarAnswer> {
  return findSimilar(search, memory).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    await enqueueLinking(jobs, ctx.db, ctx.caller.workspaceId, [memory.id], ctx.now);
    return nothingSimilar;
  });
}

/** Waits while this process is busy storing. Other processes that store do not matter. */
async function waitForImports(): Promise<void> {
  const end = performance.now() + longestWaitMs;
  while (performance.now() - lastStoredAt < quietMs && performance.now() < end) await sleep(quietMs / 4);
}

/** Waits for a moment without a search. */
async function waitForSearchPause(search: Search): Promise<void> {
  const end = performance.now() + longestWaitForPauseMs;
  while (search.idleMs() < pauseMs && performance.now() < end) await sleep(pauseMs / 4);
}

/**
 * The job: one memory at a time in this process, in a pause between searches, with a rest after each that is as long as
 * the work, so that the index is free for callers.
 */
export function createLinkingJob({ transactions, search }: LinkDeps): Job {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      await waitForSearchPause(search);
      const start = performance.now();
      try {
        return await work();
      } finally {
        await sleep(restPerWork * (performance.now() - start));
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };
  return defineJob<{ workspaceId: string; ids: string[] }>(jobName, async ({ workspaceId, ids }) => {
    const memories = await transactions.run(workspaceId, 'read', (db) => findMemories(db, ids));
    await waitForImports();
    for (const memory of memories) {
      await inTurn(async () => {
        const similar = await findSimilar(search, memory, likeAsked);
        const hits = similar.hits.filter((hit) => hit.id < memory.id);
        if (!hits.length) return;
        await transactions.run(workspaceId, 'write', (db) => relate(db, memory, { ...similar, hits }, []));
      });
    }
  });
}
