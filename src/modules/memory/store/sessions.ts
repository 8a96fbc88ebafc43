import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { Db } from './tables.ts';

export async function insertSession(
  db: Db,
  session: { id: string; workspaceId: string; brainId: string; personId: string; openedBy: string; at: Date },
): Promise<void> {
  await db
    .insertInto('memory_sessions')
    .values({
      id: session.id,
      workspace_id: session.workspaceId,
      brain_id: session.brainId,
      person_id: session.personId,
      opened_by: session.openedBy,
      started_at: session.at,
      summary: null,
      logged_at: null,
      is_shared: true,
    })
    .execute();
}

export async function locateSessions(db: Db, ids: readonly string[], personId: string): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('memory_sessions')
    .select(['id', 'brain_id'])
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** The brain of an existing session. */
export async function findSession(db: Db, id: string): Promise<{ brainId: string }> {
  return db.selectFrom('memory_sessions').select('brain_id as brainId').where('id', '=', id).executeTakeFirstOrThrow();
}

/** `isShared`: other readers of the brain see it, too. */
export async function logSummary(
  db: Db,
  id: string,
  { summary, isShared, at }: { summary: string; isShared: boolean; at: Date },
): Promise<void> {
  await db
    .updateTable('memory_sessions')
    .set({ summary, is_shared: isShared, logged_at: at })
    .where('id', '=', id)
    .execute();
}

/** Sessions of brains with a summary for this person, newest first. */
export async function listSessions(db: Db, brainIds: readonly string[], personId: string, limit: number) {
  return db
    .selectFrom('memory_sessions')
    .select(['id', 'summary', 'opened_by', 'started_at'])
    .select(sql<string | null>`(select name from people_directory where id = person_id)`.as('person_name'))
    .where('brain_id', 'in', brainIds)
    .where('summary', 'is not', null)
    .where((eb) => eb.or([eb('is_shared', '=', true), eb('person_id', '=', personId)]))
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute();
}
