// How many jobs of a queue a process does at once, and when it checks for them.
import { createBackground } from '#platform/background';
import type { PgBoss } from 'pg-boss';

export type Workers = {
  /** Starts the workers of a queue. */
  start(name: string, work: (data: object) => Promise<void>): Promise<void>;
  /** Starts to check all queues at once for jobs that become due. */
  watch(): void;
  /** Makes the workers of a queue check now, or when one of their jobs is due. */
  wake(name: string, at?: Date): void;
  /** Stops checking; the workers themselves end with the queue. */
  stop(): Promise<void>;
};

/** `id` is set once the worker has started. */
type Worker = { id: string };

/** How many jobs of one name a process does at once. */
const workersPerQueue = 5;
/** How often one query checks which queues have due jobs: those of other processes, and retries. */
const watchEveryMs = 500;
/** Workers are woken when there is work, so each rarely checks by itself: an idle server sends few queries. */
const pace = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30, batchSize: 1 };
/** Jobs that are due later than this wait for a regular check. */
const promptMs = 120_000;
/** A job is due by the clock of the database, which may be slightly behind. */
const clockMarginMs = 20;

export function createWorkers(boss: PgBoss, schema: string, onError: (error: unknown) => void): Workers {
  const workersOf = new Map<string, Worker[]>();
  let isStopping = false;
  const dueQueues = `
    select queue.name from unnest($1::text[]) queue (name)
     where exists (select from ${schema}.job
                    where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now())`;

  function wake(name: string, at = new Date(0)): void {
    const inMs = at.getTime() - Date.now();
    if (inMs <= 0) for (const { id } of workersOf.get(name) ?? []) boss.notifyWorker(id);
    else if (inMs < promptMs) setTimeout(() => wake(name), inMs + clockMarginMs).unref();
  }

  async function look(): Promise<void> {
    const { rows } = await boss.getDb().executeSql(dueQueues, [[...workersOf.keys()]]);
    for (const { name } of rows as { name: string }[]) wake(name);
  }
  const watching = createBackground(look, { everyMs: watchEveryMs, onError });

  /** Begins with one worker, which hears of new jobs; another one comes when all of them are busy, and stays. */
  async function start(name: string, work: (data: object) => Promise<void>): Promise<void> {
    const workers: Worker[] = [];
    workersOf.set(name, workers);
    let busy = 0;
    async function addWorker(): Promise<void> {
      const worker: Worker = { id: '' };
      workers.push(worker);
      worker.id = await boss.work<object>(name, pace, async ([job]) => {
        boss.notifyWorker(worker.id); // there may be more jobs: it checks again after this one
        if (!job) return;
        busy += 1;
        if (busy === workers.length && busy < workersPerQueue && !isStopping) addWorker().catch(onError);
        try {
          await work(job.data);
        } finally {
          busy -= 1;
        }
      });
    }
    await addWorker();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    await watching.stop();
  }

  return { start, watch: () => watching.start(), wake, stop };
}
