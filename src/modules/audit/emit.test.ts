import { defineEvent } from '#kernel/event';
import { runAfterEvents } from '#kernel/module';
import { newId, now } from '#platform/clock';
import { createAppPool, createTransactions, createKysely } from '#platform/database';
import { createJobs } from '#platform/jobs';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { createEmitEvent } from './index.ts';

const shipCame = defineEvent('ship.came', 'brains:read', z.object({ name: z.string() }));
const shipLeft = defineEvent('ship.left', 'brains:read', z.object({ name: z.string() }));

let server: TestServer;
let database: OwnerDatabase;
let db: ReturnType<typeof createKysely<unknown>>;
let workspaceId: string;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  db = createKysely<unknown>(createAppPool({ connectionString: server.connectionString }, 2));
  workspaceId = String((await database.rows('select id from workspaces'))[0]?.['id']);
});
afterAll(async () => {
  await db.destroy();
  await database.close();
  await server.close();
});

const buildRow = () => ({ id: newId(), workspaceId, at: now() });
const listQueued = async () => (await database.rows(`select data from jobs.job where name = 'harbour.greet'`)).length;

test('a subscriber’s job is stored with its event when the transaction commits, and only then; other events store none', async () => {
  const jobs = createJobs({ connection: { connectionString: server.connectionString }, onError: () => {} });
  const greeted: unknown[] = [];
  const subscriber = runAfterEvents(
    [shipCame],
    'harbour.greet',
    async ({ name }, eventRow) => void greeted.push([name, eventRow.workspaceId]),
  );
  const listSubscribers = (name: string) => (name === 'ship.came' ? [subscriber] : []);
  const emitEvent = createEmitEvent({ jobs, kinds: [shipCame, shipLeft], listSubscribers });
  jobs.define('harbour.greet', subscriber.run as (data: object) => Promise<void>);
  await jobs.start();
  const { run } = createTransactions(db);

  await expect(
    run(workspaceId, 'write', async (bound) => {
      await emitEvent(bound, shipCame({ name: 'Sunk' }), buildRow());
      throw new Error('the storm');
    }),
  ).rejects.toThrow('the storm');
  await run(workspaceId, 'write', (bound) => emitEvent(bound, shipLeft({ name: 'Gone' }), buildRow()));
  expect(await listQueued()).toBe(0);

  await run(workspaceId, 'write', (bound) => emitEvent(bound, shipCame({ name: 'Anna' }), buildRow()));
  await expect.poll(() => greeted).toEqual([['Anna', workspaceId]]);
  await jobs.stop();
});

test('an event that no module declares cannot be emitted', async () => {
  const jobs = createJobs({ connection: { connectionString: server.connectionString }, onError: () => {} });
  const emitEvent = createEmitEvent({ jobs, kinds: [shipLeft], listSubscribers: () => [] });
  const telling = createTransactions(db).run(workspaceId, 'write', (bound) =>
    emitEvent(bound, shipCame({ name: 'Anna' }), buildRow()),
  );
  await expect(telling).rejects.toThrow('no module declares the event ship.came');
});

test('a subscriber whose condition is false in the workspace gets no job, and its neighbour gets its own', async () => {
  const jobs = createJobs({ connection: { connectionString: server.connectionString }, onError: () => {} });
  const done: string[] = [];
  const createGreeter = (name: string, isWanted?: RawBuilder<boolean>) =>
    runAfterEvents([shipCame], name, async () => void done.push(name), isWanted);
  const subscribers = [
    createGreeter('harbour.never', sql`exists (select from events where name = 'no such event')`),
    createGreeter('harbour.always'),
    createGreeter('harbour.here', sql`exists (select from workspaces)`),
  ];
  for (const { name, run: greet } of subscribers) jobs.define(name, greet as (data: object) => Promise<void>);
  await jobs.start();
  const emitEvent = createEmitEvent({ jobs, kinds: [shipCame], listSubscribers: () => subscribers });
  const { run } = createTransactions(db);
  await run(workspaceId, 'write', (bound) => emitEvent(bound, shipCame({ name: 'Berta' }), buildRow()));
  await expect.poll(() => done.toSorted()).toEqual(['harbour.always', 'harbour.here']);
  expect(await database.rows(`select id from jobs.job where name = 'harbour.never'`)).toEqual([]);
  await jobs.stop();
});
