import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The recalls since the last write. */
export type RecallCounts = {
  /** By memory. */
  counts: ReadonlyMap<string, number>;
  /** By brain. */
  brains: ReadonlyMap<string, number>;
  /** The recalls of a session. */
  sessions: readonly { sessionId: string; memoryId: string }[];
  at: Date;
};

/** Adds to the counts. Rows are written in the order of their ids, so that processes never deadlock. */
export async function addRecalls(db: Db, { counts, brains, sessions, at }: RecallCounts): Promise<void> {
  await sql`
    insert into memory_recalls (memory_id, workspace_id, recall_count, last_recalled_at)
      select memories.id, memories.workspace_id, recalls, ${at}
      from unnest(${sql.val([...counts.keys()])}::uuid[], ${sql.val([...counts.values()])}::int[]) as given (id, recalls)
        join memories on memories.id = given.id
      order by memories.id
    on conflict (memory_id) do update set
      recall_count = memory_recalls.recall_count + excluded.recall_count,
      last_recalled_at = greatest(memory_recalls.last_recalled_at, excluded.last_recalled_at)
  `.execute(db);
  await sql`
    insert into memory_recall_days (brain_id, day, workspace_id, recalls)
      select brains.id, (${at}::timestamptz at time zone 'utc')::date, brains.workspace_id, recalls
      from unnest(${sql.val([...brains.keys()])}::uuid[], ${sql.val([...brains.values()])}::int[]) as given (id, recalls)
        join brain_directory as brains on brains.id = given.id
      order by brains.id
    on conflict (brain_id, day) do update set recalls = memory_recall_days.recalls + excluded.recalls
  `.execute(db);
  if (!sessions.length) return;
  const sessionIds = sql.val(sessions.map(({ sessionId }) => sessionId));
  const memoryIds = sql.val(sessions.map(({ memoryId }) => memoryId));
  await sql`
    insert into session_recalls (session_id, memory_id, workspace_id, recalled_at)
      select distinct memory_sessions.id, memories.id, memories.workspace_id, ${at}::timestamptz
      from unnest(${sessionIds}::uuid[], ${memoryIds}::uuid[]) as given (session_id, memory_id)
        join memory_sessions on memory_sessions.id = given.session_id
        join memories on memories.id = given.memory_id
      order by 1, 2
    on conflict (session_id, memory_id) do update set recalled_at = excluded.recalled_at
  `.execute(db);
}

/** The memories that were returned in a session, latest first. */
export async function listRecalledIds(
  db: Db,
  sessionId: string,
  brainIds: readonly string[],
  limit: number,
): Promise<string[]> {
  if (!brainIds.length) return [];
  const rows = await db
    .selectFrom('session_recalls')
    .select('memory_id')
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`(select brain_id from memories where id = memory_id) in (${sql.join([...brainIds])})`)
    .orderBy('recalled_at', 'desc')
    .orderBy('memory_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.memory_id);
}

/** Strengthens recalled memories by a step, up to 1. */
export async function strengthen(db: Db, ids: readonly string[], step: number): Promise<void> {
  if (!ids.length) return;
  // In the order of their ids, like `addRecalls`.
  await sql`
    update memory_recalls set strength = least(1, strength + ${step}) where memory_id in (
      select memory_id from memory_recalls where memory_id in (${sql.join([...ids])}) order by memory_id for update
    )
  `.execute(db);
}

export type Recall = { recall_count: number; last_recalled_at: Date; strength: number };

/** The number of recalls of memories; those without any are missing. */
export async function findRecalls(db: Db, ids: readonly string[]): Promise<Map<string, Recall>> {
  if (!ids.length) return new Map();
  const rows = await db
    .selectFrom('memory_recalls')
    .select(['memory_id', 'recall_count', 'last_recalled_at', 'strength'])
    .where('memory_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ memory_id, ...recall }) => [memory_id, recall]));
}

/** Deletes recalls in sessions before a time; the counts stay. */
export async function dropSessionRecalls(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('session_recalls').where('recalled_at', '<', before).execute();
}
