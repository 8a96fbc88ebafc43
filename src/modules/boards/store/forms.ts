// Forms of boards, and what was sent through them.
import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { BoardFormRow, Db } from './tables.ts';

export type NewForm = Pick<
  BoardFormRow,
  | 'id'
  | 'workspace_id'
  | 'board_id'
  | 'dataset'
  | 'title'
  | 'intro'
  | 'columns'
  | 'free_text'
  | 'token_hash'
  | 'person_id'
  | 'created_by'
  | 'created_at'
>;

export async function insertForm(db: Db, form: NewForm): Promise<void> {
  const unused = { closed_at: null, entry_count: 0, last_entry_at: null, sorted_on: null, sorted_count: 0 };
  await db
    .insertInto('board_forms')
    .values({ ...form, ...unused })
    .execute();
}

/** The forms of a board, the oldest first. */
export async function listForms(db: Db, boardId: string): Promise<BoardFormRow[]> {
  return db
    .selectFrom('board_forms')
    .selectAll()
    .where('board_id', '=', boardId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function countOpenForms(db: Db, boardId: string): Promise<number> {
  const { count } = await db
    .selectFrom('board_forms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('board_id', '=', boardId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findForm(db: Db, id: string): Promise<BoardFormRow | undefined> {
  return db.selectFrom('board_forms').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The form whose address was presented. */
export async function findPresentedForm(db: Db, tokenHash: string) {
  return db
    .selectFrom('board_forms')
    .select(['id', 'workspace_id'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function locateForms(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('board_forms')
    .innerJoin('boards', 'boards.id', 'board_forms.board_id')
    .select(['board_forms.id', 'boards.brain_id'])
    .where('board_forms.id', 'in', ids)
    .execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

/** A form that is closed already keeps its time. */
export async function closeForm(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('board_forms')
    .set({ closed_at: at })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .execute();
}

export async function closeFormsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('board_forms')
    .set({ closed_at: at })
    .where('person_id', '=', personId)
    .where('closed_at', 'is', null)
    .execute();
}

/** Counts one more text that is sorted on a day. False: it had its most. */
export async function takeSorting(db: Db, id: string, day: string, most: number): Promise<boolean> {
  const isSameDay = sql<boolean>`sorted_on = ${day}::date`;
  const taken = await db
    .updateTable('board_forms')
    .set({ sorted_on: sql`${day}::date`, sorted_count: sql`case when ${isSameDay} then sorted_count + 1 else 1 end` })
    .where('id', '=', id)
    .where(sql<boolean>`(sorted_on is distinct from ${day}::date or sorted_count < ${most})`)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function hasEntry(db: Db, formId: string, nonce: string): Promise<boolean> {
  const entry = await db
    .selectFrom('board_form_entries')
    .select('row_id')
    .where('form_id', '=', formId)
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  return entry !== undefined;
}

type NewEntry = { form: Pick<BoardFormRow, 'id' | 'workspace_id'>; nonce: string; rowId: string; at: Date };

/** Stores what was sent. False: the same page was sent before. */
export async function insertEntry(db: Db, { form, nonce, rowId, at }: NewEntry): Promise<boolean> {
  const entry = { form_id: form.id, workspace_id: form.workspace_id, nonce, row_id: rowId, created_at: at };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('board_form_entries')
    .values(entry)
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

/** Counts what was sent. False: the form was closed meanwhile. */
export async function countEntry(db: Db, formId: string, at: Date): Promise<boolean> {
  const counted = await db
    .updateTable('board_forms')
    .set({ entry_count: sql`entry_count + 1`, last_entry_at: at })
    .where('id', '=', formId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return counted !== undefined;
}
