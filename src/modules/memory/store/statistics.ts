// Counts for analytics. Every query is bounded by an index: by brain and time, or by existing counts.
import { sql, type RawBuilder } from 'kysely';
import type { MemoryType } from '../memory-fields.ts';
import type { Db } from './tables.ts';

export type Window = { brainIds: readonly string[]; since: Date };

/** The memories stored in a period, by source and type, including those archived later. */
export async function countStored(db: Db, window: Window) {
  const { rows } = await sql<{ source: string | null; type: MemoryType; memories: number }>`
    select source, type, count(*) as memories from (${selectStoredMemories(window, sql`source, type`)}) each group by source, type
  `.execute(db);
  return rows;
}

/** The memories of a period. Archiving happens after storing, so both parts can use an index. */
function selectStoredMemories({ brainIds, since }: Window, columns: RawBuilder<unknown>) {
  const brains = sql.join([...brainIds]);
  return sql`
    select ${columns} from memories where brain_id in (${brains}) and archived_at is null and created_at >= ${since}
    union all
    select ${columns} from memories where brain_id in (${brains}) and archived_at >= ${since} and created_at >= ${since}`;
}

/** How many live memories each brain has of each type. */
export async function countByBrain(db: Db, brainIds: readonly string[]) {
  const { rows } = await sql<{ brain_id: string; type: MemoryType; memories: number }>`
    select brain_id, type, memories from count_live_memories(${brainIds}::uuid[])
  `.execute(db);
  return rows;
}

export async function countArchived(db: Db, brainIds: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('memories'))
    .where('brain_id', 'in', brainIds)
    .where('archived_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.memories;
}

/** Who stored how many of the live memories, most first. */
export async function listContributors(db: Db, brainIds: readonly string[]) {
  return db
    .selectFrom('memories')
    .select(['brain_id', 'stored_by', 'stored_by_label', (eb) => eb.fn.countAll<number>().as('memories')])
    .where('brain_id', 'in', brainIds)
    .where('archived_at', 'is', null)
    .where('stored_by', 'is not', null)
    .where('stored_by_label', 'is not', null)
    .$narrowType<{ stored_by: string; stored_by_label: string }>()
    .groupBy(['brain_id', 'stored_by', 'stored_by_label'])
    .orderBy('memories', 'desc')
    .orderBy('stored_by_label')
    .execute();
}

/** The recalls of each brain's memories, on each day since one. */
export async function countRecalls(db: Db, brainIds: readonly string[], since: Date | null) {
  return db
    .selectFrom('memory_recall_days')
    .select(['brain_id', sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'recalls'])
    .where('brain_id', 'in', brainIds)
    .$if(since !== null, (query) => query.where('day', '>=', since ?? new Date(0)))
    .execute();
}

/** Memories stored and sessions opened on each day of a window, in UTC. */
export async function countDays(db: Db, window: Window) {
  const { rows } = await sql<{ day: string; memories: number; sessions: number }>`
    select to_char(at at time zone 'utc', 'YYYY-MM-DD') as day,
      count(*) filter (where is_memory) as memories, count(*) filter (where not is_memory) as sessions
    from (
      ${selectStoredMemories(window, sql`created_at as at, true as is_memory`)}
      union all
      select started_at, false from memory_sessions
        where brain_id in (${sql.join([...window.brainIds])}) and started_at >= ${window.since}
    ) each group by day
  `.execute(db);
  return rows;
}

/** Ids of live memories that were recalled most. */
export async function listRecalled(db: Db, brainIds: readonly string[], limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_recalls as recall')
    .innerJoin('memories', 'memories.id', 'recall.memory_id')
    .select('memories.id')
    .where('memories.brain_id', 'in', brainIds)
    .where('memories.archived_at', 'is', null)
    .orderBy('recall.recall_count', 'desc')
    .orderBy('recall.memory_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** How many of the newest important memories are searched for the most recalled. */
const newestCounted = 500;

/** Ids of important recent live memories: critical ones first, then the most recalled, then the newest. */
export async function listPressing(db: Db, { brainIds, since }: Window, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recent as (
      select id, salience from memories
      where brain_id in (${sql.join([...brainIds])}) and created_at >= ${since} and archived_at is null
        and salience <> 'normal'
      order by created_at desc limit ${newestCounted}
    )
    select recent.id from recent left join memory_recalls on memory_recalls.memory_id = recent.id
    order by salience = 'critical' desc, coalesce(recall_count, 0) desc, recent.id desc limit ${limit}
  `.execute(db);
  return rows.map((row) => row.id);
}
