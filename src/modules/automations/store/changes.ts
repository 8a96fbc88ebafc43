import type { Caller } from '#kernel/caller';
import type { ItemLocation } from '#kernel/resource';
import { locateAutomations } from './automations.ts';
import type { ChangeRow, Db } from './tables.ts';

export async function locateChanges(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('automation_changes')
    .select(['id', 'automation_id'])
    .where('id', 'in', ids)
    .execute();
  if (!rows.length) return [];
  const seen = await locateAutomations(db, [...new Set(rows.map((row) => row.automation_id))], caller);
  const visible = new Set(seen.map(({ id }) => id));
  return rows.filter((row) => visible.has(row.automation_id)).map(({ id }) => ({ id, brainId: null }));
}

type NewChange = Omit<ChangeRow, 'status' | 'decided_by_label' | 'decided_at'>;

/** Stores a pending change, and replaces an earlier one. */
export async function insertChange(db: Db, change: NewChange): Promise<void> {
  await db
    .updateTable('automation_changes')
    .set({ status: 'replaced', decided_at: change.created_at, decided_by_label: change.created_by_label })
    .where('automation_id', '=', change.automation_id)
    .where('status', '=', 'pending')
    .execute();
  await db
    .insertInto('automation_changes')
    .values({ ...change, fields: JSON.stringify(change.fields) as never, status: 'pending' }) // written as text, read as JSON
    .execute();
}

export async function findWaitingChange(db: Db, automationId: string): Promise<ChangeRow | undefined> {
  return db
    .selectFrom('automation_changes')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

/** A change, with a row lock. */
export async function lockChange(db: Db, id: string): Promise<ChangeRow> {
  return db.selectFrom('automation_changes').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function decideChange(
  db: Db,
  id: string,
  decision: { status: 'accepted' | 'declined' | 'replaced'; decided_by_label: string; decided_at: Date },
): Promise<void> {
  await db.updateTable('automation_changes').set(decision).where('id', '=', id).execute();
}
