// Archivings and merges, with everything they changed.
import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { ChangeRow, Db, LinkRow, MemoryRow } from './tables.ts';

/** The fields of a memory that an archiving or a merge changes. */
export type Fields = Partial<
  Pick<MemoryRow, 'archived_at' | 'archive_reason' | 'superseded_by' | 'topics' | 'triggers'>
>;

/** A link, by the fields that identify it. */
export type LinkKey = Pick<LinkRow, 'source_memory_id' | 'target_memory_id' | 'relationship_type'>;

/** One step of a change: it gave fields of a memory new values, or it added a link that begins at the memory. */
export type Step = { memoryId: string } & ({ before: Fields; after: Fields } | { before: null; after: LinkKey });

export type Change = Omit<ChangeRow, 'undone_at' | 'undone_by_label'>;

/** These memories, including archived ones, locked until the transaction ends. */
export async function lockMemories(db: Db, ids: readonly string[]): Promise<MemoryRow[]> {
  return db.selectFrom('memories').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
}

export async function setFields(db: Db, id: string, fields: Fields): Promise<void> {
  const { triggers, ...plain } = fields;
  await db
    .updateTable('memories')
    .set({ ...plain, ...(triggers && { triggers: sql<MemoryRow['triggers']>`${JSON.stringify(triggers)}::jsonb` }) })
    .where('id', '=', id)
    .execute();
}

/** Records a change and its steps, in order. */
export async function recordChange(db: Db, change: Change, steps: readonly Step[]): Promise<void> {
  await db
    .insertInto('memory_changes')
    .values({ ...change, undone_at: null, undone_by_label: null })
    .execute();
  await db
    .insertInto('memory_change_steps')
    .values(
      steps.map(({ memoryId, before, after }, position) => ({
        change_id: change.id,
        position,
        workspace_id: change.workspace_id,
        memory_id: memoryId,
        before: before && sql`${JSON.stringify(before)}::jsonb`,
        after: sql`${JSON.stringify(after)}::jsonb`,
      })),
    )
    .execute();
}

/** A change, locked against a concurrent undo until the transaction ends. */
export async function lockChange(db: Db, id: string): Promise<ChangeRow> {
  return db.selectFrom('memory_changes').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function listChangeSteps(db: Db, changeId: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('memory_change_steps')
    .select(['memory_id', 'before', 'after'])
    .where('change_id', '=', changeId)
    .orderBy('position')
    .execute();
  // Written by `recordChange` from exactly these shapes.
  return rows.map(({ memory_id, before, after }) => ({ memoryId: memory_id, before, after }) as Step);
}

/** The first later change of one of the memories' fields that was not undone. */
export async function findLaterChange(
  db: Db,
  change: ChangeRow,
  memoryIds: readonly string[],
): Promise<Pick<ChangeRow, 'id' | 'kind'> | undefined> {
  return db
    .selectFrom('memory_changes')
    .innerJoin('memory_change_steps', 'memory_change_steps.change_id', 'memory_changes.id')
    .select(['memory_changes.id', 'memory_changes.kind'])
    .where('memory_change_steps.memory_id', 'in', memoryIds)
    .where('memory_change_steps.before', 'is not', null)
    .where('memory_changes.undone_at', 'is', null)
    .where('memory_changes.id', '>', change.id)
    .orderBy('memory_changes.id')
    .limit(1)
    .executeTakeFirst();
}

/** The change that archived a memory. */
export async function findRetirement(db: Db, memoryId: string): Promise<ChangeRow | undefined> {
  return db
    .selectFrom('memory_changes')
    .innerJoin('memory_change_steps', 'memory_change_steps.change_id', 'memory_changes.id')
    .selectAll('memory_changes')
    .where('memory_change_steps.memory_id', '=', memoryId)
    .where(sql<boolean>`memory_change_steps.after ->> 'archived_at' is not null`)
    .where('memory_changes.undone_at', 'is', null)
    .orderBy('memory_changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Merges and archivings that changed a memory, newest first. */
export async function listMemoryChanges(
  db: Db,
  memoryId: string,
): Promise<(ChangeRow & { person_name: string | null })[]> {
  return db
    .selectFrom('memory_changes')
    .selectAll()
    .select(sql<string | null>`(select name from people_directory where id = made_by)`.as('person_name'))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('memory_change_steps')
        .select('memory_change_steps.change_id')
        .where('memory_change_steps.memory_id', '=', memoryId)
        .where('memory_change_steps.before', 'is not', null),
    )
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

export async function markUndone(db: Db, id: string, by: { label: string; at: Date }): Promise<void> {
  await db
    .updateTable('memory_changes')
    .set({ undone_at: by.at, undone_by_label: by.label })
    .where('id', '=', id)
    .execute();
}

export async function locateMerges(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('memory_changes')
    .select(['id', 'brain_id'])
    .where('id', 'in', ids)
    .where('kind', '=', 'merge')
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}
