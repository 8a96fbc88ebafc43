import { sql } from 'kysely';
import type { Db } from './tables.ts';

type KvOwner = { automation_id: string; workspace_id: string };

export async function readValue(db: Db, { automation_id }: KvOwner, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('automation_kv')
    .select('value')
    .where('automation_id', '=', automation_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value ?? null;
}

export async function writeValue(db: Db, of: KvOwner, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value ?? null);
  await sql`insert into automation_kv (automation_id, workspace_id, key, value, updated_at)
    values (${of.automation_id}, ${of.workspace_id}, ${key}, ${json}::jsonb, clock_timestamp())
    on conflict (automation_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
    db,
  );
}

/** Writes only if the stored value is the expected one. Null means no value. */
export async function swapValue(
  db: Db,
  of: KvOwner,
  key: string,
  swap: { expected: unknown; value: unknown },
): Promise<boolean> {
  const [expected, value] = [swap.expected, swap.value].map((each) => JSON.stringify(each ?? null));
  if (expected === 'null') {
    const { rows } = await sql`insert into automation_kv (automation_id, workspace_id, key, value, updated_at)
      values (${of.automation_id}, ${of.workspace_id}, ${key}, ${value}::jsonb, clock_timestamp())
      on conflict (automation_id, key) do update set value = excluded.value, updated_at = excluded.updated_at
       where automation_kv.value = 'null'::jsonb returning key`.execute(db);
    return rows.length > 0;
  }
  const { rows } = await sql`update automation_kv set value = ${value}::jsonb, updated_at = clock_timestamp()
    where automation_id = ${of.automation_id} and key = ${key} and value = ${expected}::jsonb returning key`.execute(
    db,
  );
  return rows.length > 0;
}

export async function deleteValue(db: Db, { automation_id }: KvOwner, key: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('automation_kv')
    .where('automation_id', '=', automation_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function listKeys(db: Db, { automation_id }: KvOwner, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('automation_kv')
    .select('key')
    .where('automation_id', '=', automation_id)
    .where(sql<boolean>`starts_with(key, ${prefix})`)
    .orderBy('key')
    .limit(1_000)
    .execute();
  return rows.map(({ key }) => key);
}

/** How many other keys there are. */
export async function countOtherKeys(db: Db, { automation_id }: KvOwner, key: string): Promise<number> {
  const row = await db
    .selectFrom('automation_kv')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('automation_id', '=', automation_id)
    .where('key', '<>', key)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
