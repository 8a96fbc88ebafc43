// The places where people get prompts of a draft.
import { sql, type Kysely } from 'kysely';
import type { DraftRow } from './drafts.ts';

type Db = Kysely<{ drafts: DraftRow }>;

/** Adds a place where the person gets the prompt. */
export async function setNotifyTargets(db: Db, id: string, targets: readonly string[]): Promise<void> {
  await db
    .updateTable('drafts')
    .set({ notify_targets: [...targets] })
    .where('id', '=', id)
    .execute();
}

/** Notes further places where the person got prompts. */
export async function addNotifyTarget(db: Db, ids: readonly string[], target: string): Promise<void> {
  await db
    .updateTable('drafts')
    .set({ notify_targets: sql`notify_targets || ${target}::text` })
    .where('id', 'in', ids)
    .where(sql<boolean>`not ${target} = any(notify_targets)`)
    .execute();
}

/** Records that a place got no prompt after all. */
export async function dropNotifyTarget(db: Db, id: string, target: string): Promise<void> {
  const others = sql<string[]>`array_remove(notify_targets, ${target})`;
  await db
    .updateTable('drafts')
    .set({ notify_targets: sql`case when ${others} = '{}' then '{inbox}' else ${others} end` })
    .where('id', '=', id)
    .execute();
}
