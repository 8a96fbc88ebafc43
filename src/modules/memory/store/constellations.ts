import { sql } from 'kysely';
import type { ConstellationRow, Db } from './tables.ts';

export type Constellation = Pick<ConstellationRow, 'id' | 'brain_id' | 'label' | 'topics' | 'memory_count'>;

/** The constellations of brains, largest first. */
export async function listConstellations(db: Db, brainIds: readonly string[], limit: number): Promise<Constellation[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('memory_constellations')
    .select(['id', 'brain_id', 'label', 'topics', 'memory_count'])
    .where('brain_id', 'in', brainIds)
    .orderBy('memory_count', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The names of constellations. */
export async function findLabels(db: Db, ids: readonly string[]): Promise<{ id: string; label: string }[]> {
  if (!ids.length) return [];
  return db.selectFrom('memory_constellations').select(['id', 'label']).where('id', 'in', ids).orderBy('id').execute();
}

/** The constellations of memories; memories without one are missing. */
export async function mapMemoryConstellations(db: Db, memoryIds: readonly string[]): Promise<Map<string, string>> {
  if (!memoryIds.length) return new Map();
  const { rows } = await sql<{ memory_id: string; constellation_id: string }>`
    select memory_id, constellation_id from unnest(${sql.val(memoryIds)}::uuid[]) as asked (id) cross join lateral (
      select memory_id, constellation_id from memory_constellation_members where memory_id = asked.id limit 1
    ) member
  `.execute(db);
  return new Map(rows.map((row) => [row.memory_id, row.constellation_id]));
}

/** The newest live memories of each constellation. */
export async function listMembers(db: Db, ids: readonly string[], most: number): Promise<Map<string, string[]>> {
  if (!ids.length || !most) return new Map();
  const { rows } = await sql<{ constellation_id: string; memory_ids: string[] }>`
    select constellation.id as constellation_id, array_agg(member.id order by member.id desc) as memory_ids
    from unnest(${sql.val(ids)}::uuid[]) as constellation (id) cross join lateral (
      select memories.id from memory_constellation_members member join memories on memories.id = member.memory_id
      where member.constellation_id = constellation.id and memories.archived_at is null
      order by memories.id desc limit ${most}
    ) member
    group by constellation.id
  `.execute(db);
  return new Map(rows.map((row) => [row.constellation_id, row.memory_ids]));
}

export type TopicsPage = { memories: { id: string; topics: string[] }[]; next: TopicsCursor | null };
type TopicsCursor = { at: string; id: string };

/** A page of a brain's live memories with their topics, newest first. */
export async function listTopics(
  db: Db,
  brainId: string,
  after: TopicsCursor | null,
  limit: number,
): Promise<TopicsPage> {
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'topics', sql<string>`created_at::text`.as('at')])
    .where('brain_id', '=', brainId)
    .where('archived_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  return {
    memories: rows.map(({ id, topics }) => ({ id, topics })),
    next: last && rows.length === limit ? { at: last.at, id: last.id } : null,
  };
}

/** The stored constellations of a brain, and their members, including archived memories. */
export async function findGathered(db: Db, brainId: string) {
  const constellations = await db
    .selectFrom('memory_constellations')
    .select(['id', 'label', 'topics'])
    .where('brain_id', '=', brainId)
    .orderBy('id')
    .execute();
  const members = constellations.length
    ? await db
        .selectFrom('memory_constellation_members')
        .select(['memory_id', 'constellation_id'])
        .where(
          'constellation_id',
          'in',
          constellations.map(({ id }) => id),
        )
        .execute()
    : [];
  return { constellations, members };
}

/** Lets one process at a time write a brain's constellations. */
export async function lockGathering(db: Db, brainId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`constellations ${brainId}`}, 8))`.execute(db);
}

export async function insertConstellations(db: Db, rows: readonly ConstellationRow[]): Promise<void> {
  if (rows.length) await db.insertInto('memory_constellations').values(rows).execute();
}

export async function deleteConstellations(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length) await db.deleteFrom('memory_constellations').where('id', 'in', ids).execute();
}

/** Stores how many memories a constellation has now. */
export async function setMemoryCount(db: Db, id: string, count: number): Promise<void> {
  await db.updateTable('memory_constellations').set({ memory_count: count }).where('id', '=', id).execute();
}

/** Adds memories to constellations; memories that were deleted meanwhile are skipped. */
export async function putMembers(
  db: Db,
  members: readonly { memoryId: string; constellationId: string }[],
): Promise<void> {
  if (!members.length) return;
  const memoryIds = sql.val(members.map(({ memoryId }) => memoryId));
  const constellationIds = sql.val(members.map(({ constellationId }) => constellationId));
  await sql`
    insert into memory_constellation_members (memory_id, constellation_id, workspace_id)
      select memories.id, belongs.constellation_id, memories.workspace_id
      from unnest(${memoryIds}::uuid[], ${constellationIds}::uuid[]) as belongs (memory_id, constellation_id)
        join memories on memories.id = belongs.memory_id
    on conflict (memory_id) do update set constellation_id = excluded.constellation_id
  `.execute(db);
}

export async function removeMembers(db: Db, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length)
    await db.deleteFrom('memory_constellation_members').where('memory_id', 'in', memoryIds).execute();
}

export async function recordGathering(
  db: Db,
  gathering: { brain_id: string; workspace_id: string; gathered_at: Date; memories: number },
): Promise<void> {
  await db
    .insertInto('memory_gatherings')
    .values(gathering)
    .onConflict((conflict) =>
      conflict.column('brain_id').doUpdateSet({ gathered_at: gathering.gathered_at, memories: gathering.memories }),
    )
    .execute();
}

/** More changes than these are not counted. */
const countedChanges = 1_000;

/**
 * For each brain of the workspace: when its constellations were computed, from how many memories, and how many changed
 * since.
 */
export async function listStaleness(db: Db) {
  const { rows } = await sql<{ brain_id: string; gathered_at: Date | null; memories: number; changes: number }>`
    select brains.id as brain_id, gathering.gathered_at, coalesce(gathering.memories, 0) as memories,
      (select count(*) from (
        select from memories where brain_id = brains.id and archived_at is null
          and created_at > coalesce(gathering.gathered_at, '-infinity') limit ${countedChanges}) stored)
      + (select count(*) from (
        select from memories where brain_id = brains.id and archived_at > gathering.gathered_at
          limit ${countedChanges}) retired) as changes
    from brain_directory as brains left join memory_gatherings gathering on gathering.brain_id = brains.id
  `.execute(db);
  return rows;
}

/** Constellations without a member are outdated. */
export async function dropEmptyConstellations(db: Db): Promise<void> {
  await sql`
    delete from memory_constellations constellation
    where not exists (select from memory_constellation_members where constellation_id = constellation.id)
  `.execute(db);
}

/** Makes the constellations of brains due, because the text or the brain of memories changed. */
export async function forgetGathering(db: Db, brainIds: readonly string[]): Promise<void> {
  await db.deleteFrom('memory_gatherings').where('brain_id', 'in', brainIds).execute();
}
