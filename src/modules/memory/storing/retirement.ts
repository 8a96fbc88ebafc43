// Archives and merges memories, with a record so that both can be undone.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { memoryArchived, memoriesMerged } from '../events.ts';
import type { Trigger } from '../memory-fields.ts';
import { lockMemories, recordChange, setFields, type Change, type Fields, type Step } from '../store/changes.ts';
import { insertLinks, listLinksAtMemories, type NewLink } from '../store/links.ts';
import type { LinkRow, MemoryRow } from '../store/tables.ts';
import { replaceTriggerWords } from '../store/triggers.ts';

/** Archives a memory, in favour of its successor if there is one. Throws `conflict` when it is already archived. */
export async function retire(ctx: Context, id: string, reason: string | null, successor: string | null): Promise<void> {
  const locked = await lockMemories(ctx.db, successor ? [id, successor] : [id]);
  const memory = locked.find((each) => each.id === id);
  if (locked.some((each) => each.id === successor && each.archived_at)) {
    throw new AppError('conflict', 'The memory that would replace this one is archived. Restore it first.');
  }
  if (!memory || memory.archived_at) throw new AppError('conflict', 'This memory is already archived.');
  const steps = await archive(ctx, memory, reason, successor);
  await recordChange(ctx.db, buildChange(ctx, 'archive', memory.brain_id, reason), steps);
  await ctx.emit(memoryArchived({ id, brain_id: memory.brain_id }, { brainId: memory.brain_id }));
}

/**
 * Keeps one memory and archives others of its brain in favour of it: it gets their topics, triggers and links. Returns
 * the id for the undo. Throws `conflict` when one of them is archived, or in another brain.
 */
export async function merge(ctx: Context, keepId: string, retireIds: readonly string[], reason: string | null) {
  const memories = await lockMemories(ctx.db, [keepId, ...retireIds]);
  const keep = memories.find((memory) => memory.id === keepId);
  const others = memories.filter((memory) => memory.id !== keepId);
  if (!keep || memories.some((memory) => memory.archived_at)) {
    throw new AppError('conflict', 'One of these memories is archived. Merge only active memories.');
  }
  if (others.some((memory) => memory.brain_id !== keep.brain_id)) {
    throw new AppError(
      'conflict',
      'These memories are in different brains. Move them into one with move_memory first.',
    );
  }
  const steps: Step[] = [];
  for (const memory of others) steps.push(...(await archive(ctx, memory, reason ?? 'Merged', keepId)));
  steps.push(...(await enrich(ctx, keep, others)));
  const carried = await insertLinks(
    ctx.db,
    buildCarriedLinks(ctx, keepId, retireIds, await listLinksAtMemories(ctx.db, retireIds)),
  );
  steps.push(...carried.map((link) => ({ memoryId: link.source_memory_id, before: null, after: link })));
  const change = buildChange(ctx, 'merge', keep.brain_id, reason);
  await recordChange(ctx.db, change, steps);
  const payload = { merge_id: change.id, kept: keepId, retired: [...retireIds], brain_id: keep.brain_id };
  await ctx.emit(memoriesMerged(payload, { brainId: keep.brain_id }));
  return { mergeId: change.id, linksCarried: carried.length };
}

function buildChange(ctx: Context, kind: Change['kind'], brainId: string, reason: string | null): Change {
  const { workspaceId, personId, label } = ctx.caller;
  return {
    id: ctx.newId(),
    workspace_id: workspaceId,
    brain_id: brainId,
    kind,
    reason,
    made_by: personId,
    made_by_label: label,
    made_at: ctx.now,
  };
}

async function archive(ctx: Context, memory: MemoryRow, reason: string | null, successor: string | null) {
  const { archived_at, archive_reason, superseded_by } = memory;
  const after: Fields = { archived_at: ctx.now, archive_reason: reason, superseded_by: successor };
  await setFields(ctx.db, memory.id, after);
  const steps: Step[] = [{ memoryId: memory.id, before: { archived_at, archive_reason, superseded_by }, after }];
  if (!successor) return steps;
  const { workspaceId } = ctx.caller;
  const [link] = await insertLinks(ctx.db, [
    { workspaceId, from: successor, to: memory.id, type: 'supersedes', at: ctx.now, origin: 'automatic' },
  ]);
  return link ? [...steps, { memoryId: successor, before: null, after: link }] : steps;
}

/** Gives the kept memory the topics and triggers of the others. */
async function enrich(ctx: Context, keep: MemoryRow, others: readonly MemoryRow[]): Promise<Step[]> {
  const topics = dedupeByKey(
    [keep, ...others].flatMap((memory) => memory.topics),
    (topic) => topic.toLowerCase(),
  );
  const triggers = dedupeByKey(
    [keep, ...others].flatMap((memory) => memory.triggers),
    triggerKey,
  );
  const before = { topics: keep.topics, triggers: keep.triggers };
  if (topics.length === keep.topics.length && triggers.length === keep.triggers.length) return [];
  await setFields(ctx.db, keep.id, { topics, triggers });
  await replaceTriggerWords(ctx.db, { ...keep, triggers });
  return [{ memoryId: keep.id, before, after: { topics, triggers } }];
}

function triggerKey({ condition, reason }: Trigger): string {
  return JSON.stringify([condition, reason]);
}

function dedupeByKey<Item>(items: readonly Item[], getKey: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(getKey(item)) && seen.add(getKey(item)));
}

/** The links of the archived memories, with the kept memory in their place. */
function buildCarriedLinks(
  ctx: Context,
  keep: string,
  retired: readonly string[],
  links: readonly LinkRow[],
): NewLink[] {
  const heir = (id: string) => (retired.includes(id) ? keep : id);
  const { workspaceId } = ctx.caller;
  return links
    .map((link) => ({
      workspaceId,
      from: heir(link.source_memory_id),
      to: heir(link.target_memory_id),
      type: link.relationship_type,
      at: ctx.now,
      origin: link.origin,
      ...(link.reason && { reason: link.reason }),
    }))
    .filter(({ from, to }) => from !== to);
}
