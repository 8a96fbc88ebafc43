import { sql, type ExpressionBuilder } from 'kysely';
import type { Db, DuplicateRow, Tables } from './tables.ts';

export type Duplicate = Pick<DuplicateRow, 'memory_id' | 'duplicate_of' | 'kind' | 'similarity' | 'found_at'>;

/** Reports which of the new memories of a brain repeat another one, ignoring case and punctuation. */
export async function reportExactDuplicates(
  db: Db,
  brainId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ memory: string; original: string }>`
    select memory, original from report_exact_duplicates(${brainId}, ${sql.val(ids)}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ memory, original }) => [memory, original]));
}

/** Reports near duplicates. A pair that was reported before stays unchanged. */
export async function insertNearDuplicates(
  db: Db,
  pairs: readonly Omit<DuplicateRow, 'kind' | 'dismissed_at' | 'dismissed_by_label'>[],
): Promise<void> {
  if (!pairs.length) return;
  await db
    .insertInto('memory_duplicates')
    .values(pairs.map((pair) => ({ ...pair, kind: 'near' as const, dismissed_at: null, dismissed_by_label: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Pairs of live memories of these brains that were neither merged nor dismissed, newest first. */
export async function listDuplicates(
  db: Db,
  brainIds: readonly string[],
  page: { limit: number; offset: number },
): Promise<Duplicate[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('memory_duplicates as pair')
    .select(['pair.memory_id', 'pair.duplicate_of', 'pair.kind', 'pair.similarity', 'pair.found_at'])
    .where('pair.brain_id', 'in', brainIds)
    .where('pair.dismissed_at', 'is', null)
    .where(isLivePairEnd(brainIds, 'pair.memory_id'))
    .where(isLivePairEnd(brainIds, 'pair.duplicate_of'))
    .orderBy('pair.found_at', 'desc')
    .orderBy('pair.memory_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** Not a join: before the table has statistics, PostgreSQL would read all memories first. */
function isLivePairEnd(brainIds: readonly string[], end: 'pair.memory_id' | 'pair.duplicate_of') {
  return sql<boolean>`(
    select brain_id from memories where id = ${sql.ref(end)} and archived_at is null
  ) in (${sql.join([...brainIds])})`;
}

/** Live memories of these brains that are reported as duplicates of a memory, in either direction. */
export async function listDuplicatesOfMemory(db: Db, id: string, brainIds: readonly string[]): Promise<Duplicate[]> {
  return db
    .selectFrom('memory_duplicates as pair')
    .select(['pair.memory_id', 'pair.duplicate_of', 'pair.kind', 'pair.similarity', 'pair.found_at'])
    .where((eb) => eb.or([eb('pair.memory_id', '=', id), eb('pair.duplicate_of', '=', id)]))
    .where('pair.dismissed_at', 'is', null)
    .where(isLivePairEnd(brainIds, 'pair.memory_id'))
    .where(isLivePairEnd(brainIds, 'pair.duplicate_of'))
    .orderBy('pair.found_at', 'desc')
    .limit(50)
    .execute();
}

/** Dismisses a pair of memories, in either order. False when no such pair is open. */
export async function dismiss(db: Db, one: string, other: string, by: { label: string; at: Date }): Promise<boolean> {
  const rows = await db
    .updateTable('memory_duplicates')
    .set({ dismissed_at: by.at, dismissed_by_label: by.label })
    .where(isPair(one, other))
    .where('dismissed_at', 'is', null)
    .returning('memory_id')
    .execute();
  return rows.length > 0;
}

/** Undoes the dismissal of a pair. False when these two were never reported. */
export async function restoreDuplicate(db: Db, one: string, other: string): Promise<boolean> {
  const rows = await db
    .updateTable('memory_duplicates')
    .set({ dismissed_at: null, dismissed_by_label: null })
    .where(isPair(one, other))
    .returning('memory_id')
    .execute();
  return rows.length > 0;
}

/** Two memories, in either order. */
function isPair(one: string, other: string) {
  return (eb: ExpressionBuilder<Tables, 'memory_duplicates'>) =>
    eb.or([
      eb.and([eb('memory_id', '=', one), eb('duplicate_of', '=', other)]),
      eb.and([eb('memory_id', '=', other), eb('duplicate_of', '=', one)]),
    ]);
}

/** Removes the open reports about a memory. */
export async function withdrawReports(db: Db, memoryId: string): Promise<void> {
  await db
    .deleteFrom('memory_duplicates')
    .where((eb) => eb.or([eb('memory_id', '=', memoryId), eb('duplicate_of', '=', memoryId)]))
    .where('dismissed_at', 'is', null)
    .execute();
}
