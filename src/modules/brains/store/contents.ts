import { sql } from 'kysely';
import type { Db } from '#kernel/database';
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';

/** The brain contents of a table of this module, counted by row and exported by id. `kind` names a line. */
export function createTableContents(table: string, { name, kind }: { name: string; kind: string }): BrainContents {
  return {
    name,
    scope: 'brains:read',
    cursor: idCursor,
    async count(db: Db, brainIds) {
      if (!brainIds.length) return new Map();
      const { rows } = await sql<{ brain_id: string; count: number }>`
        select brain_id, count(*) as count from ${sql.table(table)}
        where brain_id in (${sql.join([...brainIds])}) group by brain_id
      `.execute(db);
      return new Map(rows.map((row) => [row.brain_id, row.count]));
    },
    async exportBatch(db, brainId, { after, limit }) {
      const { rows } = await sql<{ id: string }>`
        select * from ${sql.table(table)} where brain_id = ${brainId} and (${after}::uuid is null or id > ${after}::uuid)
        order by id limit ${limit}
      `.execute(db);
      return { lines: rows.map((row) => exportLine(kind, row, ['address_hash'])), next: rows.at(-1)?.id ?? null };
    },
  };
}
