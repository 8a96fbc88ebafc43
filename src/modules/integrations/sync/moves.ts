// Tells what was moved from what is gone: a provider that is asked list by list says of both that they have left. So what has left
// a list is kept until every list was read from then on, and is gone unless another has it by then, or had it already.
import type { Context } from '#kernel/context';
import { storePages, type NewPage } from '#modules/pages';
import { gonePage, type Changes } from '../sources/source.ts';
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

/** The pages of a batch that are to be stored now; what has left its list is not among them, where it may have been moved. */
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
 * Takes away what had left its list before all of them were read, and is in no other. Answers how many pages. What left while they
 * were read may be in one that was read before: it waits for them to be read once more.
 */
export async function takeAwayLeft(
  ctx: Context,
  sync: SyncRow,
  account: string,
  { moves }: Pick<Changes, 'moves'>,
): Promise<number> {
  if (!moves || !('isOver' in moves)) return 0;
  const source = `${sync.source}:${account}`;
  for (let gone = 0; ;) {
    const refs = await takeLeft(ctx.db, sync, pagesAtOnce);
    const pages = refs.map((ref) => gonePage({ source, ref: ref.slice(source.length + 1), type: moves.type }));
    const stored = pages.length ? await storePages(ctx, sync.brain_id, pages) : [];
    gone += stored.filter(({ change }) => change !== 'none').length;
    if (refs.length < pagesAtOnce) {
      await countAsLeftBefore(ctx.db, sync);
      return gone;
    }
  }
}
