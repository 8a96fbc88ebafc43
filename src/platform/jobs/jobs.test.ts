import { setTimeout as sleep } from 'node:timers/promises';
import { createKysely, createOwnerPool } from '#platform/database';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createJobs, type Jobs } from './index.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

/** A process that does jobs; it ends with the test. */
async function startJobs(define: (jobs: Jobs) => void): Promise<Jobs> {
  const jobs = createJobs({ connection: database.connection, onError: () => {} });
  define(jobs);
  await jobs.start();
  onTestFinished(() => jobs.stop());
  return jobs;
}

async function enqueue(jobs: Jobs, name: string, count: number): Promise<void> {
  const db = createKysely<unknown>(createOwnerPool(database.connection, 1));
  for (let nth = 0; nth < count; nth += 1) await jobs.enqueue(db, name, { nth });
  await db.destroy();
}

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(database.connection);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

test('a process does five jobs of a queue at once, and begins the next as soon as one is done', async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const jobs = await startJobs(({ define }) =>
    define('five', (data: { nth: number }) => {
      begun.push(data.nth);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  await enqueue(jobs, 'five', 7);
  await expect.poll(() => begun.length).toBe(5);
  await sleep(100);
  expect(begun).toHaveLength(5);
  ends[0]?.();
  await expect.poll(() => begun.length).toBe(6);
  for (const end of ends.splice(1)) end();
  await expect.poll(() => begun.length).toBe(7);
  ends.at(-1)?.();
  expect(begun.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('jobs that follow each other are each begun at once', async () => {
  const done: number[] = [];
  const jobs = await startJobs(({ define }) => define('one', async ({ nth }: { nth: number }) => void done.push(nth)));
  const started = performance.now();
  for (let nth = 1; nth <= 5; nth += 1) {
    await enqueue(jobs, 'one', 1);
    await expect.poll(() => done.length, { interval: 5 }).toBe(nth);
  }
  expect(performance.now() - started).toBeLessThan(30_000 / 2); // a worker that is not woken looks every 30 s
});

test('a start makes a queue and a schedule as they are now, and removes schedules that are no more', async () => {
  const define = ({ schedule }: Jobs) => {
    schedule('each-minute', '* * * * *', async () => {});
    schedule('of-before', '1 * * * *', async () => {});
  };
  await (await startJobs(define)).stop();
  await query(`update jobs.queue set heartbeat_seconds = 900, notify = false where name = 'each-minute'`);
  await startJobs(({ schedule }) => schedule('each-minute', '*/5 * * * *', async () => {}));
  expect(await query(`select heartbeat_seconds, notify from jobs.queue where name = 'each-minute'`)).toEqual([
    { heartbeat_seconds: 20, notify: true },
  ]);
  expect(await query('select name, cron from jobs.schedule')).toEqual([{ name: 'each-minute', cron: '*/5 * * * *' }]);
});

test('a start where all queues are there asks for the jobs of each once', async () => {
  const names = Array.from({ length: 30 }, (_, nth) => `queue-${nth}`);
  const define = (jobs: Jobs) => names.forEach((name) => jobs.define(name, async () => {}));
  await (await startJobs(define)).stop();
  await expect.poll(async () => (await query(sessions))[0]?.['sessions']).toBe(0); // each adds its commits as it ends
  const countCommits = async () => Number((await query(statements))[0]?.['commits']);
  const before = await countCommits();
  await (await startJobs(define)).stop();
  await expect.poll(countCommits).toBeGreaterThan(before + names.length);
  expect((await countCommits()) - before).toBeLessThan(2 * names.length);
});

const sessions = `select count(*)::int as sessions from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
const statements = `select xact_commit as commits from pg_stat_database where datname = current_database()`;
