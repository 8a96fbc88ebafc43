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

/** A brain as an archive has it; a personal brain was never created by anybody, so that its age is not told. */
export async function findBrainToArchive(db: Db, id: string): Promise<ArchivedRow> {
  const { rows } = await sql<ArchivedRow>`
    select parent_brain_id, personal_to, name, description, routing_rules, language,
           to_json(created_at at time zone 'UTC') #>> '{}' || 'Z' as created_at
      from brains where id = ${id}`.execute(db);
  return rows[0]!; // the caller was found to have a role on it
}

/** Takes over what an archive says of a brain, with the number that moves the ids of what was in it. */
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
