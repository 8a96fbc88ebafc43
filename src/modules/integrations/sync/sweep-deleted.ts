// Finds deleted items that no provider reports: after a complete reading, known pages that were not seen are outdated.
// Seen items are stored with each batch, so an interrupted reading can continue.
import type { Context } from '#kernel/context';
import type { NewPage } from '#kernel/page';
import { listRefs, storePages } from '#modules/pages';
import { type Changes, createGonePage, type WholeReading } from '#providers/reading';
import { addMet, forgetPart, listUnmetRefs, readWatchStart, watchPart } from '../store/item-locations.ts';
import type { SyncRow } from '../store/syncs.ts';

const pagesAtOnce = 500;

/**
 * Stores the items of a batch that belong to a completely read part, before the batch is stored. With the last batch,
 * outdates the pages that were not seen, and returns their number. Does nothing while nothing is stored yet.
 */
export async function sweep(
  ctx: Context,
  sync: SyncRow,
  account: string,
  { whole, pages, errors }: Pick<Changes, 'whole' | 'pages' | 'errors'>,
): Promise<number> {
  if (!whole) return 0;
  const of = { sync, part: whole.part };
  const expectedPages = buildExpectedPages(sync, account, whole);
  if (whole.isFirst)
    await ((await hasAny(ctx, expectedPages)) ? watchPart(ctx.db, of, ctx.now) : forgetPart(ctx.db, of));
  const since = await readWatchStart(ctx.db, of);
  if (!since) return 0;
  if (errors.length) {
    // An unreadable item still exists, but its page is not known.
    await forgetPart(ctx.db, of);
    return 0;
  }
  const refs = pages.map(({ sourceRef }) => sourceRef);
  await addMet(ctx.db, of, refs, ctx.now);
  if (!whole.isLast) return 0;
  const deletedCount = await takeAway(ctx, sync, expectedPages, of, since);
  await forgetPart(ctx.db, of);
  return deletedCount;
}

type ExpectedPages = Parameters<typeof listRefs>[1];

/** The pages that a complete reading must see: those of the part, within its window. */
function buildExpectedPages(
  { brain_id: brainId, source }: SyncRow,
  account: string,
  { part, from, until }: WholeReading,
): ExpectedPages {
  const name = `${source}:${account}`;
  return { brainId, source: name, prefix: `${name}:${part}`, from, until };
}

async function hasAny({ db }: Context, expectedPages: ExpectedPages): Promise<boolean> {
  return (await listRefs(db, expectedPages, { limit: 1 })).length > 0;
}

/** Pages that changed since the reading started were written by someone else, and stay. */
async function takeAway(
  ctx: Context,
  { brain_id: brainId }: SyncRow,
  expectedPages: ExpectedPages,
  of: Parameters<typeof listUnmetRefs>[1],
  since: Date,
): Promise<number> {
  let deletedCount = 0;
  for (let after: string | undefined; ;) {
    const rows = await listRefs(ctx.db, { ...expectedPages, notSince: since }, { limit: pagesAtOnce, after });
    const missing = new Set(
      await listUnmetRefs(
        ctx.db,
        of,
        rows.map(({ sourceRef }) => sourceRef),
      ),
    );
    const pages = rows
      .filter(({ sourceRef }) => missing.has(sourceRef))
      .map((row) => toGonePage(row, expectedPages.source));
    if (pages.length) deletedCount += (await storePages(ctx, brainId, pages)).length;
    after = rows.at(-1)?.sourceRef;
    if (rows.length < pagesAtOnce) return deletedCount;
  }
}

function toGonePage({ sourceRef, type }: { sourceRef: string; type: string }, source: string): NewPage {
  return createGonePage({ source, ref: sourceRef.slice(source.length + 1), type });
}
