// What always holds on a brain: its own items, and those of the brains above it that reach down.
import type { Context } from '#kernel/context';
import { z } from 'zod';
import { lineageOf } from './store/brains.ts';
import { listItems, type Item } from './store/core-knowledge.ts';

/** An item as a session is told it. */
export const coreKnowledgeOutput = z.object({
  section: z.string(),
  content: z.string(),
  brain_name: z.string(),
  is_inherited: z.boolean(),
});

/** Items of a brain and those that reach it from above, as far as the caller may read there. */
export async function itemsFor(ctx: Context, brainId: string, history: boolean): Promise<Item[]> {
  const { roles } = await ctx.brains();
  const above = (await lineageOf(ctx.db, brainId)).slice(1).filter((id) => roles.has(id));
  return listItems(ctx.db, { brainId, above, history });
}

/** The core knowledge in force on a brain, from the highest brain down. */
export async function coreKnowledgeInForce(
  ctx: Context,
  brainId: string,
): Promise<z.output<typeof coreKnowledgeOutput>[]> {
  return (await itemsFor(ctx, brainId, false)).map((item) => ({
    section: item.section,
    content: item.content,
    brain_name: item.brain_name,
    is_inherited: item.brain_id !== brainId,
  }));
}
