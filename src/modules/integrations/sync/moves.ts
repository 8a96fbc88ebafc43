// Distinguishes moved items from deleted ones: a provider that is read list by list reports both as missing. An item
// that is missing from a list is kept until every list has been read, and is deleted unless another list has it.
import type { Context } from '#kernel/context';
import type { NewPage } from '#kernel/page';
import { storePages } from '#modules/pages';
import { type Changes, createGonePage } from '#providers/reading';
import type { SyncRow } from '../store/syncs.ts';
import {
  countAsLeftBefore,
  forgetMoved,
  noteLeft,
  noteListGone,
  noteThere,
  takeLeft,
} from '../store/item-locations.ts';

const pagesAtOnce = 500;

/** The pages of a batch that can be stored now, without items that left a list but may have moved to another one. */
export async function withoutMoved(
  { db }: Context,
  sync: SyncRow,
  { moves, whole, pages }: Pick<Changes, 'moves' | 'whole' | 'pages'>,
): Promise<NewPage[]> {
  if (whole?.isFirst) await forgetMoved(db, sync);
  if (!moves || !('list' in moves)) return pages;
  const left = pages.filter(({ isGone }) => isGone).map(({ sourceRef }) => sourceRef);
  await noteThere(db, sync, moves.list, moves.met ?? []);
  await noteLeft(db, sync, moves.list, left);
  if (moves.isGone) await noteListGone(db, sync, moves.list);
  return pages.filter(({ isGone }) => !isGone);
}

/**
 * Deletes items that left their list before all lists were read and that are in no other list. Returns the number of
 * pages. Items that left during this reading may be in a list that was read earlier: they wait for the next reading.
 */
export async function takeAwayLeft(
  ctx: Context,
  sync: SyncRow,
  account: string,
  { moves }: Pick<Changes, 'moves'>,
): Promise<number> {
  if (!moves || !('isOver' in moves)) return 0;
  const source = `${sync.source}:${account}`;
  for (let deletedCount = 0; ;) {
    const refs = await takeLeft(ctx.db, sync, pagesAtOnce);
    const pages = refs.map((ref) => createGonePage({ source, ref: ref.slice(source.length + 1), type: moves.type }));
    const stored = pages.length ? await storePages(ctx, sync.brain_id, pages) : [];
    deletedCount += stored.filter(({ change }) => change !== 'none').length;
    if (refs.length < pagesAtOnce) {
      await countAsLeftBefore(ctx.db, sync);
      return deletedCount;
    }
  }
}
