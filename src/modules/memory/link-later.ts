// Relates memories that were stored in bulk to the others, after they were stored and without hurry.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { findSimilar, relate } from './related.ts';
import { findMemories } from './store/memories.ts';

const jobName = 'memory.link';
/** Newer memories among the like are left to be linked by themselves, so more are asked for than are linked. */
const likeAsked = 12;
/** An import is let through first. */
const delayMs = 3_000;

type Linking = { jobs: Jobs; transactions: Transactions; search: Search };

/** Has memories linked once the transaction has committed. */
export async function enqueueLinking(jobs: Jobs, db: Db, workspaceId: string, ids: readonly string[], now: Date) {
  await jobs.enqueue(db, jobName, { workspaceId, ids }, { at: new Date(now.getTime() + delayMs) });
}

/**
 * Says how that job is done: one memory at a time in this process, however many jobs there are, and after each a rest as
 * long as it took, so that searches of others find the index free at least half of the time.
 */
export function defineLinking({ jobs, transactions, search }: Linking): void {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      const start = performance.now();
      try {
        return await work();
      } finally {
        await sleep(performance.now() - start);
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };
  jobs.define<{ workspaceId: string; ids: string[] }>(jobName, async ({ workspaceId, ids }) => {
    const memories = await transactions.run(workspaceId, 'read', (db) => findMemories(db, ids));
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
