import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#kernel/database';
import { buildOwnerConnection, type Connection } from '#platform/database';
import { fromKysely, getConstructionPlans, PgBoss, type ConstructorOptions } from 'pg-boss';
import { traceJob, withTrace } from './trace-job.ts';
import { createWorkers } from './workers.ts';

/** Jobs: work for later, stored as rows. It survives the process, and one of many processes does it. */
export type Jobs = {
  /**
   * Defines how jobs of a name run. A job that fails is retried up to 10 times with growing pauses; so is a job whose
   * process died, within a minute. A job whose process is slow to report may still be running, so leases must keep the
   * two apart.
   */
  define<Data extends object>(name: string, work: (data: Data) => Promise<void>): void;
  /**
   * Adds a job in the transaction `db`: it exists if and only if that commits. It is due `at` a time, or after a delay,
   * by the clock of the database.
   */
  enqueue(db: Db, name: string, data: object, options?: { at: Date } | { inMs: number }): Promise<void>;
  /** Schedules regular work, done by one process of all: `cron` is in UTC. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  /** How many jobs of each queue wait or run. */
  countDepth(): Promise<QueueDepth[]>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type QueueDepth = { queue: string; state: 'waiting' | 'running'; count: number };

type Definition = { name: string; work: (data: object) => Promise<void> };
type Schedule = { name: string; cron: string };

const schema = 'jobs';
/** Creates the queue's tables, within an open transaction. */
export const jobsPlan = getConstructionPlans(schema)
  .replace(/^\s*BEGIN;/, '')
  .replace(/COMMIT;\s*$/, '');

/**
 * Grants the product's role access to the queue. Two servers that grant at once would disturb each other, so one waits.
 */
const grants = `
  begin;
  select pg_advisory_xact_lock(hashtext('thalamus job grants'));
  grant usage on schema ${schema} to thalamus_app;
  grant select, insert, update, delete on all tables in schema ${schema} to thalamus_app;
  grant execute on all functions in schema ${schema} to thalamus_app;
  commit`;
/** Zero for an empty queue, so that the metric exists from the start. */
const depths = `
  select queue.name as queue, kind.state, count(job.id)::int as count
    from unnest($1::text[]) queue (name)
   cross join (values ('waiting'), ('running')) kind (state)
    left join ${schema}.job on job.name = queue.name and job.state < 'completed'
         and (job.state = 'active') = (kind.state = 'running')
   group by queue.name, kind.state`;
const retry = { retryLimit: 10, retryDelay: 2, retryBackoff: true, retryDelayMax: 600 };
/** How often a process reports that it still runs a job, and the others check for missing reports. */
const aliveSeconds = 20;
/** Every check would count finished jobs, and no code needs the count. */
const doneForSeconds = 3_600;
const queue = { heartbeatSeconds: aliveSeconds, deleteAfterSeconds: doneForSeconds, notify: true };
export function createJobs(options: { connection: Connection; onError: (error: unknown, job: string) => void }): Jobs {
  const definitions: Definition[] = [];
  const schedules: Schedule[] = [];
  let isStopping = false;
  const boss = new PgBoss({
    ...(buildOwnerConnection(options.connection) as ConstructorOptions), // both are values that `pg` accepts
    max: 4,
    schema,
    useListenNotify: true,
    superviseIntervalSeconds: aliveSeconds,
    monitorIntervalSeconds: aliveSeconds,
    maintenanceIntervalSeconds: doneForSeconds,
  });
  const emitEvent = (error: unknown, job: string) => {
    // A job that is cut off by the end of the process is repeated by the next one, so no error is reported.
    if (!isStopping) options.onError(error, job);
  };
  boss.on('error', (error) => emitEvent(error, 'queue'));
  const workers = createWorkers(boss, schema, (error) => emitEvent(error, 'queue'));

  async function run({ name, work }: Definition, data: object | null): Promise<void> {
    try {
      await traceJob(name, data, work);
    } catch (error) {
      emitEvent(error, name);
      throw error;
    }
  }

  return {
    define(name, work) {
      // The data of a job is what `enqueue` received for its name.
      definitions.push({ name, work: work as (data: object) => Promise<void> });
    },
    schedule(name, cron, work) {
      definitions.push({ name, work });
      schedules.push({ name, cron });
    },
    async enqueue(db, name, data, due) {
      const startAfter = due && ('at' in due ? due.at : due.inMs / 1000);
      await boss.send(name, withTrace(data), { ...retry, ...(startAfter && { startAfter }), db: fromKysely(db) });
      if (due) workers.wake(name, 'at' in due ? due.at : new Date(Date.now() + due.inMs));
    },
    countDepth: () => countDepth(boss, definitions),
    async start() {
      await boss.start();
      await boss.getDb().executeSql(grants);
      await makeQueues(
        boss,
        definitions.map(({ name }) => name),
      );
      for (const definition of definitions) await workers.start(definition.name, (data) => run(definition, data));
      workers.watch();
      await makeSchedules(boss, schedules);
    },
    async stop() {
      isStopping = true;
      await workers.stop();
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}

/** Makes the queues that are not there yet, and has those of an earlier version as they are made now. */
async function makeQueues(boss: PgBoss, names: readonly string[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((each) => [each.name, each]));
  for (const name of names) {
    const { heartbeatSeconds, deleteAfterSeconds, notify } = found.get(name) ?? {};
    if (!found.has(name)) await boss.createQueue(name, queue);
    else if (!isDeepStrictEqual({ heartbeatSeconds, deleteAfterSeconds, notify }, queue))
      await boss.updateQueue(name, queue);
  }
}

async function makeSchedules(boss: PgBoss, schedules: readonly Schedule[]): Promise<void> {
  const found = await boss.getSchedules();
  for (const { name, cron } of schedules)
    if (!found.some((each) => each.name === name && each.cron === cron)) await boss.schedule(name, cron);
  for (const { name } of found) if (!schedules.some((each) => each.name === name)) await boss.unschedule(name); // of an earlier version
}

async function countDepth(boss: PgBoss, definitions: readonly Definition[]): Promise<QueueDepth[]> {
  const { rows } = await boss.getDb().executeSql(depths, [definitions.map(({ name }) => name)]);
  return rows as QueueDepth[]; // the columns of the statement
}
