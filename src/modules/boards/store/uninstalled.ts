// Uninstalled boards. Row level security hides them from every other query; these run with `withVisibleUninstalled`.
import { sql } from 'kysely';
import type { BoardRow, Db } from './tables.ts';

type NamedBoard = Pick<BoardRow, 'id' | 'brain_id' | 'name'>;

/** Marks installed boards. Returns those that were marked now. */
export async function markUninstalled(db: Db, ids: readonly string[], at: Date): Promise<NamedBoard[]> {
  const { rows } = await sql<NamedBoard>`
    update boards set uninstalled_at = ${at}
     where id in (select id from boards where id = any(${[...ids]}::uuid[]) and uninstalled_at is null order by id for update)
    returning id, brain_id, name`.execute(db);
  return rows;
}

/** Uninstalled boards, with row locks. */
export async function lockUninstalled(db: Db, ids: readonly string[]): Promise<NamedBoard[]> {
  const { rows } = await sql<NamedBoard>`
    select id, brain_id, name from boards
     where id = any(${[...ids]}::uuid[]) and uninstalled_at is not null order by id for update`.execute(db);
  return rows;
}

/** The names of the boards of a brain that begin like this. */
export async function listTakenNames(db: Db, brainId: string, start: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from boards
     where brain_id = ${brainId} and uninstalled_at is null and starts_with(lower(name), lower(${start}))`.execute(db);
  return rows.map(({ name }) => name);
}

/** Shows a board again. Fails with 23505 when another one took the name meanwhile. */
export async function markRecovered(db: Db, id: string, { name, at }: { name: string; at: Date }): Promise<void> {
  await sql`update boards set uninstalled_at = null, name = ${name}, updated_at = ${at} where id = ${id}`.execute(db);
}

/** Deletes the boards that were uninstalled before a time, with their rows. */
export async function removeBoardsUninstalledBefore(db: Db, at: Date): Promise<void> {
  await sql`delete from boards where uninstalled_at < ${at}`.execute(db);
}
