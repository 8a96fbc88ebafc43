// How many jobs of a queue a process does at once, and when it looks for them.
import { createBackground } from '#platform/background';
import type { PgBoss } from 'pg-boss';

export type Workers = {
  /** Starts the workers of a queue. */
  start(name: string, work: (data: object) => Promise<void>): Promise<void>;
  /** Begins to look for jobs that become due, of all queues at once. */
  watch(): void;
  /** Has the workers of a queue look now, or at the moment when a job of theirs is due. */
  wake(name: string, at?: Date): void;
  /** Ends looking; the workers themselves end with the queue. */
  stop(): Promise<void>;
};

/** `id` comes as soon as the worker was started. */
type Worker = { id: string };

/** So many jobs of a name are done at once by one process. */
const workersPerQueue = 5;
/** How often one query asks which queues have jobs that are due: those of other processes, and those tried again. */
const watchEveryMs = 500;
/** Workers are woken when there is work, so each looks rarely by itself: an idle server asks little. */
const pace = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30, batchSize: 1 };
/** A job that is due later than this is left to the regular looks. */
const promptMs = 120_000;
/** A job counts as due by the clock of the database, which may be a little behind. */
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
        boss.notifyWorker(worker.id); // where one job was there may be more: it looks again after this one
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
