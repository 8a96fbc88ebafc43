import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import { findNextEnd } from '../deadline-ends.ts';
import type { WorkflowState } from '../workflow-states.ts';
import type { Db, WorkflowRow } from './tables.ts';

export async function locateWorkflows(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('workflows').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

export async function insertWorkflow(db: Db, workflow: WorkflowRow): Promise<void> {
  await db
    .insertInto('workflows')
    .values({ ...workflow, ...toJsonColumns(workflow) })
    .execute();
}

export type WorkflowChange = Partial<
  Pick<WorkflowRow, 'title' | 'charter' | 'roster' | 'kpis' | 'deadlines' | 'state' | 'closed_at'>
>;

type ChangedWorkflow = Pick<WorkflowRow, 'id' | 'deadlines' | 'next_deadline_at'>;

/** Changes a workflow and counts its version up. Returns the version. */
export async function changeWorkflow(
  db: Db,
  workflow: ChangedWorkflow,
  change: WorkflowChange,
  at: Date,
): Promise<number> {
  const { version } = await db
    .updateTable('workflows')
    .set({
      ...change,
      ...toJsonColumns(change),
      next_deadline_at: findNextDeadline(workflow, change.deadlines ?? workflow.deadlines, at),
      version: sql<number>`version + 1`,
      updated_at: at,
    })
    .where('id', '=', workflow.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** A deadline that passed a moment ago, or during a pause, and is not yet an event, stays the next one. */
function findNextDeadline(
  { next_deadline_at: next }: ChangedWorkflow,
  deadlines: WorkflowRow['deadlines'],
  at: Date,
): Date | null {
  return findNextEnd(deadlines, next && next < at ? next : at);
}

/** The JSON among some columns. The driver would write lists as SQL arrays. */
function toJsonColumns({ roster, kpis, deadlines }: WorkflowChange) {
  return {
    ...(roster && { roster: toJsonColumn(roster) }),
    ...(kpis && { kpis: toJsonColumn(kpis) }),
    ...(deadlines && { deadlines: toJsonColumn(deadlines) }),
  };
}

export async function findWorkflow(db: Db, id: string): Promise<WorkflowRow | undefined> {
  return db.selectFrom('workflows').selectAll().where('id', '=', id).executeTakeFirst();
}

/** As `findWorkflow`, with a row lock, so that other changes of the workflow wait. */
export async function lockWorkflow(db: Db, id: string): Promise<WorkflowRow | undefined> {
  return db.selectFrom('workflows').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export type WorkflowFilter = {
  brainIds: readonly string[];
  state?: WorkflowState | undefined;
  /** The id of the last one of the page before. */
  after: string | null;
  limit: number;
};

/** Workflows, the newest first. */
export async function listWorkflows(db: Db, { brainIds, state, after, limit }: WorkflowFilter): Promise<WorkflowRow[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('workflows')
    .selectAll()
    .where('brain_id', 'in', brainIds)
    .$if(state !== undefined, (query) => query.where('state', '=', state!)) // asked for right before
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function listWorkflowIdsOfBrain(db: Db, brainId: string): Promise<string[]> {
  const rows = await db.selectFrom('workflows').select('id').where('brain_id', '=', brainId).execute();
  return rows.map(({ id }) => id);
}

export async function listWorkflowTitles(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('workflows').select(['id', 'title as name']).where('id', 'in', ids).execute();
}

export async function removeWorkflow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('workflows').where('id', '=', id).execute();
}

/** Pauses the active workflows that a person made. Returns their ids. */
export async function pausePersonWorkflows(db: Db, personId: string, at: Date): Promise<string[]> {
  const paused = await db
    .updateTable('workflows')
    .set({ state: 'paused', version: sql<number>`version + 1`, updated_at: at })
    .where('person_id', '=', personId)
    .where('state', '=', 'active')
    .returning('id')
    .execute();
  return paused.map(({ id }) => id);
}

/** Takes these people or keys off every roster. Returns how many workflows had one. */
export async function dropFromRosters(db: Db, ids: readonly string[], at: Date): Promise<number> {
  const isNamed = sql<boolean>`entry ->> 'id' = any(${[...ids]}::text[])`;
  const { numUpdatedRows } = await db
    .updateTable('workflows')
    .set({
      roster: sql`(select coalesce(jsonb_agg(entry order by position), '[]')
        from jsonb_array_elements(roster) with ordinality as entries (entry, position) where not ${isNamed})`,
      version: sql<number>`version + 1`,
      updated_at: at,
    })
    .where(sql<boolean>`exists (select from jsonb_array_elements(roster) as entry where ${isNamed})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** What a person is called, in rosters. */
export async function findPersonName(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('people_directory').select('name').where('id', '=', id).executeTakeFirst())?.name;
}

/** What a key is called, in rosters. */
export async function findKeyLabel(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('key_directory').select('label').where('id', '=', id).executeTakeFirst())?.label;
}
