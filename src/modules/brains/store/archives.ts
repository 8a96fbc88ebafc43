import { sql } from 'kysely';
import type { Db } from '#kernel/database';

type ArchivedRow = {
  parent_brain_id: string | null;
  personal_to: string | null;
  name: string;
  description: string;
  routing_rules: string;
  language: string;
  created_at: string;
};

/** A brain in an archive. A personal brain has no creation date, because nobody created it. */
export async function findBrainToArchive(db: Db, id: string): Promise<ArchivedRow> {
  const { rows } = await sql<ArchivedRow>`
    select parent_brain_id, personal_to, name, description, routing_rules, language,
           to_json(created_at at time zone 'UTC') #>> '{}' || 'Z' as created_at
      from brains where id = ${id}`.execute(db);
  return rows[0]!; // the caller's role on it was checked
}

/** Imports the settings of a brain, with the number that changes the ids of its contents. */
export async function updateFromArchive(
  db: Db,
  id: string,
  brain: Omit<ArchivedRow, 'parent_brain_id' | 'personal_to'> & { shift: number },
): Promise<void> {
  const { name, description, routing_rules, language, created_at, shift } = brain;
  await db
    .updateTable('brains')
    .set({ name, description, routing_rules, language, created_at, archive_shift: shift })
    .where('id', '=', id)
    .execute();
}
