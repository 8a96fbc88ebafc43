// How many jobs of a queue a process does at once, and when it looks for them.
import type { PgBoss } from 'pg-boss';

export type Workers = {
  /** Starts the workers of a queue. */
  start(name: string, work: (data: object) => Promise<void>): Promise<void>;
  /** Has them look now, or at the moment when a job of theirs is due. */
  wake(name: string, at?: Date): void;
};

/** So many jobs of a name are done at once by one process. */
const workersPerQueue = 5;
/**
 * In seconds. One worker of a queue looks often. The others are woken when there is work (pg-boss notifies all processes of a new job),
 * and look rarely in case nobody woke them.
 */
const lookEvery = { first: 1, others: 10 };
/** A job that is due later than this is left to the regular looks. */
const promptMs = 120_000;
/** A job counts as due by the clock of the database, which may be a little behind. */
const clockMarginMs = 20;

export function createWorkers(boss: PgBoss): Workers {
  const idsOf = new Map<string, string[]>();

  function wake(name: string, at = new Date(0)): void {
    const inMs = at.getTime() - Date.now();
    if (inMs <= 0) for (const id of idsOf.get(name) ?? []) boss.notifyWorker(id);
    else if (inMs < promptMs) setTimeout(() => wake(name), inMs + clockMarginMs).unref();
  }

  async function start(name: string, work: (data: object) => Promise<void>): Promise<void> {
    const ids: string[] = [];
    idsOf.set(name, ids);
    for (let n = 0; n < workersPerQueue; n += 1) {
      const seconds = n === 0 ? lookEvery.first : lookEvery.others;
      const pace = { pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds, batchSize: 1 };
      const id = await boss.work<object>(name, pace, async ([job]) => {
        wake(name); // where one job was there may be more: the others look now, and this one after it
        if (job) await work(job.data);
      });
      ids.push(id);
    }
  }

  return { start, wake };
}
