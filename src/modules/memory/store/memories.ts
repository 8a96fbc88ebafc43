import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { MemoryType, Salience } from '../memory-fields.ts';
import { dropEmptyConstellations } from './constellations.ts';
import { countByBrain } from './statistics.ts';
import type { Db, MemoryRow } from './tables.ts';

export type NewMemory = Omit<MemoryRow, 'archived_at' | 'archive_reason' | 'superseded_by'>;

/** A memory with the names of its brain and its person, for answers. */
export type Memory = MemoryRow & { brain_name: string; person_name: string | null };

export async function insertMemories(db: Db, memories: readonly NewMemory[]): Promise<void> {
  const [first] = memories;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
  // One parameter for all rows: compiling a query with one parameter for each value takes longer than running it.
  await sql`
    insert into memories (${columns})
    select ${columns} from jsonb_populate_recordset(null::memories, ${JSON.stringify(memories)}::jsonb)
  `.execute(db);
}

export async function locateMemories(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('memories').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** Live memories with these ids, in the order of the ids. */
export async function findMemories(db: Db, ids: readonly string[]): Promise<Memory[]> {
  if (!ids.length) return [];
  const rows = await selectAny(db).where('memories.id', 'in', ids).execute();
  // Not a query: before the table has statistics, PostgreSQL would use an index of all live memories for it.
  const live = new Map(rows.filter((row) => row.archived_at === null).map((row) => [row.id, row]));
  return ids.flatMap((id) => live.get(id) ?? []);
}

/** The content of a live memory. */
export type Statement = Pick<MemoryRow, 'id' | 'content' | 'source' | 'author' | 'role' | 'stored_by_label'>;

export async function findStatements(db: Db, ids: readonly string[]): Promise<Statement[]> {
  if (!ids.length) return [];
  return db
    .selectFrom('memories')
    .select(['id', 'content', 'source', 'author', 'role', 'stored_by_label'])
    .where('id', 'in', ids)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute();
}

export type MemoryFilter = {
  brainIds: readonly string[];
  type?: MemoryType;
  salience?: Salience;
  /** Stored then or later. */
  since?: Date;
  /** A source or a part of one, `human`, or `auto_ingested`; see `isFrom` of search. */
  source?: string;
};

/** Live memories, newest first. */
export async function listMemories(
  db: Db,
  filter: MemoryFilter,
  page: { limit: number; offset: number },
): Promise<Memory[]> {
  if (!filter.brainIds.length) return [];
  return selectLive(db)
    .where('memories.brain_id', 'in', filter.brainIds)
    .$if(filter.type !== undefined, (query) => query.where('memories.type', '=', filter.type ?? 'fact'))
    .$if(filter.salience !== undefined, (query) => query.where('memories.salience', '=', filter.salience ?? 'normal'))
    .$if(filter.since !== undefined, (query) => query.where('memories.created_at', '>=', filter.since ?? new Date(0)))
    .$if(filter.source !== undefined, (query) => query.where(isFromSql(filter.source ?? '')))
    .orderBy('memories.created_at', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** Like `isFrom` of search. */
function isFromSql(source: string) {
  if (source === 'human') return sql<boolean>`memories.source is null`;
  if (source === 'auto_ingested') return sql<boolean>`memories.source is not null`;
  return sql<boolean>`strpos(':' || memories.source || ':', ${`:${source}:`}) > 0`;
}

/** How many live memories of each type there are. */
export async function countMemories(
  db: Db,
  filter: MemoryFilter,
): Promise<{ total: number; byType: Record<string, number> }> {
  if (!filter.brainIds.length) return { total: 0, byType: {} };
  if (filter.salience === undefined && filter.source === undefined) return countByType(db, filter);
  const rows = await db
    .selectFrom('memories')
    .select(['type', (eb) => eb.fn.countAll<number>().as('count')])
    .where('brain_id', 'in', filter.brainIds)
    .where('archived_at', 'is', null)
    .$if(filter.type !== undefined, (query) => query.where('type', '=', filter.type ?? 'fact'))
    .$if(filter.salience !== undefined, (query) => query.where('salience', '=', filter.salience ?? 'normal'))
    .$if(filter.source !== undefined, (query) => query.where(isFromSql(filter.source ?? '')))
    .groupBy('type')
    .execute();
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    byType: Object.fromEntries(rows.map((row) => [row.type, row.count])),
  };
}

async function countByType(db: Db, { brainIds, type }: MemoryFilter) {
  const rows = (await countByBrain(db, brainIds)).filter((row) => type === undefined || row.type === type);
  const byType: Record<string, number> = {};
  for (const row of rows) byType[row.type] = (byType[row.type] ?? 0) + row.memories;
  return { total: rows.reduce((sum, row) => sum + row.memories, 0), byType };
}

/** One memory, archived or not. */
export async function findAnyMemory(db: Db, id: string): Promise<Memory | undefined> {
  return selectAny(db).where('memories.id', '=', id).executeTakeFirst();
}

/** The live memories around one in its thread, this many on each side, in order. */
export async function listThreadAround(db: Db, memory: MemoryRow, each: number): Promise<Memory[]> {
  if (memory.thread_id === null) return [];
  const place = sql`(${memory.occurred_at}::timestamptz, ${memory.id}::uuid)`;
  const around = (side: '<' | '>', direction: 'asc' | 'desc') =>
    selectLive(db)
      .where('memories.brain_id', '=', memory.brain_id)
      .where('memories.thread_id', '=', memory.thread_id)
      .where(sql<boolean>`(memories.occurred_at, memories.id) ${sql.raw(side)} ${place}`)
      .orderBy('memories.occurred_at', direction)
      .orderBy('memories.id', direction)
      .limit(each)
      .execute();
  return [...(await around('<', 'desc')).toReversed(), ...(await around('>', 'asc'))];
}

/** Moves a memory into another brain, and out of its constellation. */
export async function move(db: Db, id: string, brainId: string): Promise<void> {
  await db.updateTable('memories').set({ brain_id: brainId }).where('id', '=', id).execute();
  await db.updateTable('memory_duplicates').set({ brain_id: brainId }).where('memory_id', '=', id).execute();
  await db.deleteFrom('memory_constellation_members').where('memory_id', '=', id).execute();
  await dropEmptyConstellations(db);
}

function selectLive(db: Db) {
  return selectAny(db).where('memories.archived_at', 'is', null);
}

function selectAny(db: Db) {
  // Not a join: before the table has statistics, PostgreSQL would read all memories of the brain for it.
  const brainName = sql<string>`(select name from brain_directory as brains where brains.id = memories.brain_id)`;
  const personName = sql<
    string | null
  >`(select name from people_directory as people where people.id = memories.stored_by)`;
  return db
    .selectFrom('memories')
    .selectAll('memories')
    .select([brainName.as('brain_name'), personName.as('person_name')]);
}
