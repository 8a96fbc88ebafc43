import type { AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { storePages } from '#modules/pages';
import { takeInPageFiles, type Shelf } from './files/take-in.ts';
import type { Batch, ItemError, Reader, Source } from '#providers/reading';

/** The result of a fetch. `slugs` lists every page that was read, also unchanged ones. */
export type IngestResult = { count: number; slugs: string[]; errors: ItemError[]; stopped: string | null };

const mostErrors = 50;

/**
 * Stores batches as they are read, each in a short transaction. When reading fails after something was stored, returns
 * the stored pages with the reason; otherwise throws the error.
 */
export async function ingest(
  ctx: AfterCommitContext,
  { brainId, room, jobs, ...from }: Pick<Shelf, 'brainId' | 'room' | 'jobs'> & { source: Source; reader: Reader },
  batches: AsyncIterable<Batch>,
): Promise<IngestResult> {
  const { workspaceId } = ctx.caller;
  const transact: Shelf['transact'] = (work) => ctx.transact(({ db, now }) => work(db, now));
  const shelf = { workspaceId, brainId, room, jobs, transact, newId: ctx.newId };
  const result: IngestResult = { count: 0, slugs: [], errors: [], stopped: null };
  let done = 0;
  try {
    for await (const { pages, errors, total } of batches) {
      const stored = pages.length ? await ctx.transact((inner) => storePages(inner, brainId, pages)) : [];
      result.count += stored.filter((page) => page.change !== 'none').length;
      result.slugs.push(...stored.flatMap((page) => (page.change === 'removed' ? [] : [page.slug])));
      done += pages.length + errors.length;
      const pageIds = stored.map(({ id }) => id);
      const inFiles = await takeInPageFiles(shelf, from, { pages, pageIds });
      result.errors.push(...[...errors, ...inFiles].slice(0, mostErrors - result.errors.length));
      ctx.progress(done, total, `${done} read`);
    }
  } catch (error) {
    if (!(error instanceof AppError) || !done) throw error;
    result.stopped = error.message;
  }
  return result;
}
