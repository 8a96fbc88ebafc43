import type { Context } from '#kernel/context';
import { pageIngested } from './events.ts';
import type { NewPage } from '#kernel/page';
import { upsertPages, type PageOutcome } from './store/write.ts';

/** Stores pages in a brain and returns the outcome of each. The caller's rights were checked before. */
export async function storePages(ctx: Context, brainId: string, pages: readonly NewPage[]): Promise<PageOutcome[]> {
  const place = { workspaceId: ctx.caller.workspaceId, brainId, at: ctx.now, newId: ctx.newId };
  const stored = await upsertPages(ctx.db, pages, place);
  const ids = stored.filter((page) => page.change !== 'none').map((page) => page.id);
  const source = pages[0]?.source ?? null;
  const by_automations = [...(ctx.caller.run?.chain ?? [])];
  if (ids.length)
    await ctx.emit(pageIngested({ page_ids: ids, brain_id: brainId, source, by_automations }, { brainId }));
  return stored;
}
