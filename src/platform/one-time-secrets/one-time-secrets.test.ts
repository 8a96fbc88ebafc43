import { afterAll, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kernel/database';
import { createAppPool, createTransactions, createKysely } from '#platform/database';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import {
  dropExpiredSecrets,
  endSecret,
  findSecret,
  issueSecret,
  openUntil,
  presentSecret,
  generateSecret,
  useSecret,
} from './index.ts';

const database = await createTestDatabase();
const owner = await openAsOwner(database.connectionString);
const pool = createAppPool(database.connection, 4);
const db = createKysely<unknown>(pool);
const transactions = createTransactions(db);
const [workspaceId, elsewhere] = [randomUUID(), randomUUID()];
for (const id of [workspaceId, elsewhere])
  await owner.rows(`insert into workspaces (id, name, created_at) values ($1, 'W', now())`, [id]);
afterAll(async () => {
  await pool.end();
  await owner.close();
  await database.drop();
});

const at = new Date('2027-01-01T12:00:00Z');
const addMinutes = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
const run = <T>(work: (bound: Db) => Promise<T>, workspace = workspaceId) => transactions.run(workspace, 'write', work);
const issue = (given: { subjectId?: string; boundTo?: string } = {}) =>
  run((bound) =>
    issueSecret(bound, {
      purpose: 'invitation',
      prefix: 'tl',
      subjectId: randomUUID(),
      workspaceId,
      at,
      expiresAt: addMinutes(10),
      ...given,
    }),
  );
const use = (secret: string, { purpose = 'invitation', boundTo = '', minutes = 1, workspace = workspaceId } = {}) =>
  run(
    (bound) => useSecret(bound, purpose, { secret, at: addMinutes(minutes), ...(boundTo && { boundTo }) }),
    workspace,
  );

test('a secret gives access to its row once', async () => {
  const subjectId = randomUUID();
  const secret = await issue({ subjectId });
  expect(secret).toMatch(/^tl_[\w-]{43}$/);
  expect(await use(secret)).toBe(subjectId);
  expect(await use(secret)).toBeUndefined();
});

test('of many callers who use a secret at once, one gets its row', async () => {
  const secret = await issue();
  const used = await Promise.all(Array.from({ length: 6 }, () => use(secret)));
  expect(used.filter(Boolean)).toHaveLength(1);
});

test('a secret for another purpose, of another workspace, or an invented one gives access to nothing', async () => {
  const secret = await issue();
  expect(await use(secret, { purpose: 'recovery' })).toBeUndefined();
  expect(await use(secret, { workspace: elsewhere })).toBeUndefined();
  expect(await use(generateSecret('tl'))).toBeUndefined();
  expect(await use(secret)).toBeDefined();
});

test('a secret expires, to the millisecond', async () => {
  const secret = await issue();
  expect(await use(secret, { minutes: 10 })).toBeUndefined();
  expect(await use(secret, { minutes: 10 - 1 / 60_000 })).toBeDefined();
});

test('a bound secret works only with its bound value, and an unbound one only without one', async () => {
  const [bound, unbound] = [await issue({ boundTo: 'session 1' }), await issue()];
  expect(await use(bound)).toBeUndefined();
  expect(await use(bound, { boundTo: 'session 2' })).toBeUndefined();
  expect(await use(unbound, { boundTo: 'session 1' })).toBeUndefined();
  expect(await use(bound, { boundTo: 'session 1' })).toBeDefined();
});

test('a new secret of a row ends the earlier one, and ending the row’s secrets ends both', async () => {
  const subjectId = randomUUID();
  const [first, second] = [await issue({ subjectId }), await issue({ subjectId })];
  expect(await use(first)).toBeUndefined();
  expect(await run((bound) => findSecret(bound, 'invitation', second))).toMatchObject({ subjectId, usedAt: null });
  await run((bound) => endSecret(bound, subjectId));
  expect(await use(second)).toBeUndefined();
});

test('a used secret stays used if its transaction commits, and unused if it fails', async () => {
  const secret = await issue();
  const failing = run(async (bound) => {
    await useSecret(bound, 'invitation', { secret, at });
    throw new Error('the rest failed');
  });
  await expect(failing).rejects.toThrow('the rest failed');
  expect(await use(secret)).toBeDefined();
});

test('a presented secret shows its workspace, and no other secret', async () => {
  const subjectId = randomUUID();
  const secret = await issue({ subjectId });
  const presented = { subjectId, workspaceId, expiresAt: addMinutes(10), usedAt: null };
  expect(await presentSecret(db, 'invitation', secret)).toEqual(presented);
  expect(await presentSecret(db, 'recovery', secret)).toBeUndefined();
  expect(await presentSecret(db, 'invitation', generateSecret('tl'))).toBeUndefined();
});

test('the database contains no secret and no bound value', async () => {
  const secret = await issue({ boundTo: 'only the browser knows' });
  const { rows } = await run((bound) => sql`select * from one_time_secrets`.execute(bound));
  expect(JSON.stringify(rows)).not.toContain(secret.slice(3));
  expect(JSON.stringify(rows)).not.toContain('only the browser knows');
});

test('a query can ask for the expiry of a row’s secret; expired secrets are deleted', async () => {
  const subjectId = randomUUID();
  const secret = await issue({ subjectId });
  const until = async (minutes: number) => {
    const { rows } = await run((bound) =>
      sql<{ until: Date | null }>`
        select ${openUntil('asked.id', addMinutes(minutes))} as until from (select ${subjectId}::uuid as id) asked`.execute(
        bound,
      ),
    );
    return rows[0]?.until;
  };
  expect([await until(9), await until(10)]).toEqual([addMinutes(10), null]);
  await run((bound) => dropExpiredSecrets(bound, addMinutes(10)));
  expect(await presentSecret(db, 'invitation', secret)).toBeDefined();
  await run((bound) => dropExpiredSecrets(bound, addMinutes(11)));
  expect(await presentSecret(db, 'invitation', secret)).toBeUndefined();
});
