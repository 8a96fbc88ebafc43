import { sql, type Kysely } from 'kysely';

/** Pages, each with a value that identifies its version. */
export async function versionsOfPages(db: Kysely<unknown>, ids: readonly string[]): Promise<unknown[]> {
  const { rows } =
    await sql`select id, changed_xact::text as changed from pages where id = any(${[...ids]}::uuid[]) order by id`.execute(
      db,
    );
  return rows;
}
