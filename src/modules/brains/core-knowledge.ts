// Core knowledge of a brain: its own items, and inherited items of the brains above.
import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import { z } from 'zod';
import { brainUpdated } from './events.ts';
import { lockBrain, listBrainLineage } from './store/brains.ts';
import {
  deactivateItem,
  deactivateSection,
  insertItem,
  listItems,
  visibilities,
  type Item,
} from './store/core-knowledge.ts';

/** The new content of a section. */
export const newSection = z.strictObject({
  section: z.string().trim().min(1).max(120).describe('The topic, such as writing_style. Each section holds one item.'),
  content: z.string().trim().min(1).max(8_000),
  visibility: z.enum(visibilities).default('inherited').describe('inherited: applies to the brains below too.'),
});

/** Adds an item, and replaces the active one of its section. */
export async function setSection(
  ctx: Context,
  brainId: string,
  { section, content, visibility }: z.output<typeof newSection>,
  byLabel = ctx.caller.label,
): Promise<{ id: string; version: number; replaced: string | null }> {
  const brain = await lockBrain(ctx.db, brainId);
  if (!brain) throw createNotFoundError('brain');
  const by = { label: byLabel, at: ctx.now };
  const replaced = (await deactivateSection(ctx.db, { brainId, section }, by)) ?? null;
  const id = ctx.newId();
  const version = await insertItem(ctx.db, {
    id,
    brain_id: brainId,
    section,
    content,
    visibility,
    workspace_id: ctx.caller.workspaceId,
    added_by: ctx.caller.personId,
    added_by_label: byLabel,
    created_at: ctx.now,
  });
  await ctx.emit(brainUpdated({ brain_id: brainId, name: brain.name }, { brainId }));
  return { id, version, replaced };
}

/** Removes an item. Throws `not_found` when it is not active on the brain. */
export async function removeItem(
  ctx: Context,
  brainId: string,
  itemId: string,
  byLabel = ctx.caller.label,
): Promise<void> {
  const brain = await lockBrain(ctx.db, brainId);
  const wasActive = await deactivateItem(ctx.db, { brainId, id: itemId }, { label: byLabel, at: ctx.now });
  if (!brain || !wasActive) throw createNotFoundError('active item of core knowledge');
  await ctx.emit(brainUpdated({ brain_id: brainId, name: brain.name }, { brainId }));
}

/** An item in a session. */
export const coreKnowledgeOutput = z.object({
  section: z.string(),
  content: z.string(),
  brain_name: z.string(),
  is_inherited: z.boolean(),
});

/** Own and inherited items of a brain that the caller may read. */
export async function listCoreKnowledgeItems(ctx: Context, brainId: string, history: boolean): Promise<Item[]> {
  const { roles } = await ctx.brains();
  const above = (await listBrainLineage(ctx.db, brainId)).slice(1).filter((id) => roles.has(id));
  return listItems(ctx.db, { brainId, above, history });
}

/** The active core knowledge of a brain, from the highest brain down. */
export async function listActiveCoreKnowledge(
  ctx: Context,
  brainId: string,
): Promise<z.output<typeof coreKnowledgeOutput>[]> {
  return (await listCoreKnowledgeItems(ctx, brainId, false)).map((item) => ({
    section: item.section,
    content: item.content,
    brain_name: item.brain_name,
    is_inherited: item.brain_id !== brainId,
  }));
}
