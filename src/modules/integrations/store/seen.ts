// What a sync has come across since it began to read a part of an account as a whole.
import { sql, type Kysely } from 'kysely';
import type { SyncRow } from './syncs.ts';

type SeenRow = { sync_id: string; workspace_id: string; part: string; source_ref: string; seen_at: Date };
type Db = Kysely<{ sync_seen: SeenRow }>;
type Part = { sync: Pick<SyncRow, 'id' | 'workspace_id'>; part: string };

/** Stands for the beginning of a part that is watched. */
const beginning = '';

/** Watches a part from now on; what was seen of it before is forgotten. */
export async function watchPart(db: Db, of: Part, at: Date): Promise<void> {
  await forgetPart(db, of);
  await addSeen(db, of, [beginning], at);
}

/** Since when a part is watched; null: it is not. */
export async function watchedSince(db: Db, { sync, part }: Part): Promise<Date | null> {
  const row = await db
    .selectFrom('sync_seen')
    .select('seen_at')
    .where('sync_id', '=', sync.id)
    .where('part', '=', part)
    .where('source_ref', '=', beginning)
    .executeTakeFirst();
  return row?.seen_at ?? null;
}

export async function addSeen(db: Db, { sync, part }: Part, refs: readonly string[], at: Date): Promise<void> {
  if (!refs.length) return;
  await sql`
    insert into sync_seen (sync_id, workspace_id, part, source_ref, seen_at)
      select ${sync.id}::uuid, ${sync.workspace_id}::uuid, ${part}::text, ref, ${at}::timestamptz
      from unnest(${sql.val([...refs])}::text[]) as ref
    on conflict do nothing
  `.execute(db);
}

/** Those of the references that were not seen. */
export async function unseen(db: Db, { sync, part }: Part, refs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select ref from unnest(${sql.val([...refs])}::text[]) as ref
    where not exists (
      select from sync_seen where sync_id = ${sync.id} and part = ${part} and source_ref = ref
    )
  `.execute(db);
  return rows.map(({ ref }) => ref);
}

/** Watches a part no longer. */
export async function forgetPart(db: Db, { sync, part }: Part): Promise<void> {
  await db.deleteFrom('sync_seen').where('sync_id', '=', sync.id).where('part', '=', part).execute();
}
