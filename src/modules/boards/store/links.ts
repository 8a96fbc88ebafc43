// The links of boards to services.
import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { stopRecipesOfEndedLinks } from './recipes.ts';
import type { BoardLinkRow, Db } from './tables.ts';

export type NewBoardLink = Omit<BoardLinkRow, 'ended_at' | 'end_reason'>;

export async function insertLink(db: Db, { ref, ...link }: NewBoardLink): Promise<void> {
  await db
    .insertInto('board_links')
    .values({ ...link, ref: toJsonColumn(ref), ended_at: null, end_reason: null })
    .execute();
}

export async function findLink(db: Db, id: string): Promise<BoardLinkRow | undefined> {
  return db.selectFrom('board_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The links of a board, the oldest first. */
export async function listBoardLinks(db: Db, boardId: string): Promise<BoardLinkRow[]> {
  return db.selectFrom('board_links').selectAll().where('board_id', '=', boardId).orderBy('created_at').execute();
}

/** The links that read through accounts of a person, also those that other people made. */
export async function listLinksThroughPerson(db: Db, personId: string): Promise<BoardLinkRow[]> {
  return db
    .selectFrom('board_links')
    .selectAll()
    .where('account_person_id', '=', personId)
    .orderBy('created_at')
    .execute();
}

export async function removeLink(db: Db, id: string): Promise<void> {
  await db.deleteFrom('board_links').where('id', '=', id).execute();
}

/** Links by the brains of their boards. */
export async function locateLinks(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await selectLocations(db, ids);
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

/** As `locateLinks`, but a person finds the links through their own accounts in brains of others, too. */
export async function locateLinksToEnd(db: Db, ids: readonly string[], personId: string): Promise<ItemLocation[]> {
  const rows = await selectLocations(db, ids);
  return rows.map(({ id, brain_id, account_person_id: owner }) => ({
    id,
    brainId: owner === personId ? null : brain_id,
  }));
}

function selectLocations(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('board_links')
    .innerJoin('boards', 'boards.id', 'board_links.board_id')
    .select(['board_links.id', 'boards.brain_id', 'board_links.account_person_id'])
    .where('board_links.id', 'in', ids)
    .execute();
}

/** Ends what a person who leaves made, and what reads through their accounts. The rows on the boards stay. */
export async function endLinksOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  const end_reason = 'The person who made it, or whose account it reads through, left.';
  await db
    .updateTable('board_links')
    .set({ ended_at: at, end_reason })
    .where((eb) => eb.or([eb('person_id', '=', personId), eb('account_person_id', '=', personId)]))
    .where('ended_at', 'is', null)
    .execute();
  await stopRecipesOfEndedLinks(db, `${end_reason} Make the link again.`);
}
