import type { BrainRole } from '#kernel/caller';
import { sql, type Kysely } from 'kysely';
import { exportLine, idCursor, type BrainContents } from '../contents.ts';
import type { Tables } from './brains.ts';

/** People whose membership on the brain itself is in force. */
export async function listMemberIds(db: Kysely<Tables>, brainId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('brain_members')
    .select('person_id')
    .where('brain_id', '=', brainId)
    .where('removed_at', 'is', null)
    .execute();
  return rows.map((row) => row.person_id);
}

/** Memberships with the names of the people, those that ended too. */
export const memberContents: BrainContents = {
  name: 'members',
  scope: 'brains:read',
  cursor: idCursor,
  async count(db: Kysely<Tables>, brainIds) {
    const { rows } = await sql<{ brain_id: string; count: number }>`
      select brain_id, count(*) as count from brain_members where brain_id = any(${brainIds}::uuid[]) group by brain_id
    `.execute(db);
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ person_id: string; access_level: BrainRole }>`
      select brain_members.*, people.name, people.email
        from brain_members join people on people.id = person_id
       where brain_id = ${brainId} and (${after}::uuid is null or person_id > ${after}::uuid)
       order by person_id limit ${limit}
    `.execute(db);
    return { lines: rows.map((row) => exportLine('member', row)), next: rows.at(-1)?.person_id ?? null };
  },
};
