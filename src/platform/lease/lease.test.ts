import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql, type Kysely } from 'kysely';
import { readDatabaseTime, createKysely, createOwnerPool } from '#platform/database';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import {
  isLeaseHeld,
  isFree,
  keepLease,
  buildExtendedLease,
  noLease,
  released,
  buildRevokedLease,
  buildTakenLease,
  type Lease,
} from './index.ts';

type Work = Lease & { id: number; done: string | null };
const database = await createTestDatabase();
const owner = createKysely<{ work: Work }>(createOwnerPool(database.connection));
await sql`create table work (id integer primary key, done text, lease_token bigint not null, lease_until timestamptz)`.execute(
  owner,
);
const processes = [1, 2].map(() => createKysely<{ work: Work }>(createOwnerPool(database.connection, 4)));
const [one, other] = processes as [Kysely<{ work: Work }>, Kysely<{ work: Work }>];
afterAll(async () => {
  for (const db of [owner, ...processes]) await db.destroy();
  await database.drop();
});

beforeEach(async () => {
  await owner.deleteFrom('work').execute();
  await owner
    .insertInto('work')
    .values({ id: 1, done: null, ...noLease })
    .execute();
});

const take = (db: Kysely<{ work: Work }>, forMs = 60_000) =>
  db
    .updateTable('work')
    .set(buildTakenLease(forMs))
    .where('id', '=', 1)
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
const write = async (db: Kysely<{ work: Work }>, row: Work | undefined, change: object) => {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set(change)
    .where('id', '=', 1)
    .where(isLeaseHeld(row as Work))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
const expireLease = () => sql`update work set lease_until = now() - interval '1 ms'`.execute(owner);

test('of many processes that take a lease at once, only one gets it', async () => {
  const takers = Array.from({ length: 8 }, (_, each) => take(each % 2 ? one : other));
  expect((await Promise.all(takers)).filter(Boolean)).toHaveLength(1);
});

test('a lease is free again when its time ends, or when it is released', async () => {
  const first = await take(one);
  expect(await take(other)).toBeUndefined();
  await expireLease();
  const second = await take(other);
  expect(second?.lease_token).toBe((first?.lease_token ?? 0) + 1);
  expect(await write(other, second, released)).toBe(true);
  expect(await take(one)).toBeDefined();
});

test('a former holder writes nothing, and an expired holder writes until another process takes the lease', async () => {
  const former = await take(one);
  await expireLease();
  expect(await write(one, former, { done: 'late, but nobody else was at it' })).toBe(true);
  const holder = await take(other);
  expect(await write(one, former, { done: 'by the former' })).toBe(false);
  expect(await write(one, former, buildExtendedLease(60_000))).toBe(false);
  expect(await write(one, former, released)).toBe(false);
  expect(await write(other, holder, { done: 'by the holder', ...released })).toBe(true);
});

test('keeping a lease extends it, by the clock of the database', async () => {
  const row = await take(one, 1_000);
  const before = await readDatabaseTime(owner);
  await write(one, row, buildExtendedLease(60_000));
  const { lease_until: until } = await owner.selectFrom('work').selectAll().executeTakeFirstOrThrow();
  expect(until?.getTime()).toBeGreaterThanOrEqual(before.getTime() + 60_000);
  expect(until?.getTime()).toBeLessThanOrEqual((await readDatabaseTime(owner)).getTime() + 60_000);
});

test('a revoked lease is free, and lost to its holder', async () => {
  const holder = await take(one);
  await owner.updateTable('work').set(buildRevokedLease('work')).execute();
  expect(await write(one, holder, { done: 'all the same' })).toBe(false);
  expect(await take(other)).toBeDefined();
});

test('a lease is extended despite failures until it is released, and is lost when it was revoked', async () => {
  const row = await take(one);
  const reportedErrors: unknown[] = [];
  let rounds = 0;
  const keep = async () => {
    if ((rounds += 1) === 2) throw new Error('no database for a moment');
    return write(one, row, buildExtendedLease(60_000));
  };
  const lease = keepLease(keep, { everyMs: 1, onError: (error) => reportedErrors.push(error) });
  await lease.keepNow();
  expect(rounds).toBeGreaterThan(0);
  await expect.poll(() => rounds).toBeGreaterThan(3);
  expect(reportedErrors).toEqual([new Error('no database for a moment')]);
  expect(lease.lost.aborted).toBe(false);
  await owner.updateTable('work').set(buildRevokedLease('work')).execute();
  await expect.poll(() => lease.lost.aborted).toBe(true);
  await lease[Symbol.asyncDispose]();
  const last = rounds;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(rounds).toBe(last);
});
