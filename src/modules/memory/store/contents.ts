// The memories and sessions of a brain, to be counted and exported.
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import { sql, type Kysely } from 'kysely';
import { countByBrain as countLiveByBrain } from './statistics.ts';
import type { Db } from './tables.ts';

type Tables = {
  memories: { brain_id: string; archived_at: Date | null };
  memory_sessions: { brain_id: string };
};

/** Memories with the links that begin at them, including archived memories. */
export const memoryContents: BrainContents = {
  name: 'memories',
  scope: 'memory:read',
  cursor: idCursor,
  count: (db, brainIds) => countByBrain(db, 'memories', brainIds),
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ id: string }>`
      select memory.*, (
        select coalesce(jsonb_agg(jsonb_build_object('to', target_memory_id, 'type', relationship_type)), '[]')
          from memory_links where source_memory_id = memory.id) as links
        from memories memory
       where brain_id = ${brainId} and (${after}::uuid is null or id > ${after}::uuid)
       order by id limit ${limit}
    `.execute(db);
    return { lines: rows.map((row) => exportLine('memory', row, ['changed_xact'])), next: rows.at(-1)?.id ?? null };
  },
};

/** Sessions, with the summary that was logged for them. */
export const sessionContents: BrainContents = {
  name: 'sessions',
  scope: 'memory:read',
  cursor: idCursor,
  count: (db, brainIds) => countByBrain(db, 'memory_sessions', brainIds),
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ id: string }>`
      select * from memory_sessions
       where brain_id = ${brainId} and (${after}::uuid is null or id > ${after}::uuid)
       order by id limit ${limit}
    `.execute(db);
    return { lines: rows.map((row) => exportLine('session', row)), next: rows.at(-1)?.id ?? null };
  },
};

/** The number of memories of each brain, without archived ones. */
export async function countLiveMemories(db: Db, brainIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { brain_id, memories } of await countLiveByBrain(db, brainIds))
    counts.set(brain_id, (counts.get(brain_id) ?? 0) + memories);
  return counts;
}

async function countByBrain(db: Kysely<Tables>, table: keyof Tables, brainIds: readonly string[]) {
  if (!brainIds.length) return new Map<string, number>();
  const rows = await db
    .selectFrom(table)
    .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('brain_id', 'in', brainIds)
    .groupBy('brain_id')
    .execute();
  return new Map(rows.map((row) => [row.brain_id, row.count]));
}
