// Undoes an archiving or a merge: everything is restored, or nothing is changed.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { memoriesRestored } from '../events.ts';
import {
  findLaterChange,
  lockChange,
  lockMemories,
  markUndone,
  findRetirement,
  setFields,
  listChangeSteps,
  type Fields,
  type Step,
} from '../store/changes.ts';
import { forgetGathering } from '../store/constellations.ts';
import { deleteLinks } from '../store/links.ts';
import type { MemoryRow } from '../store/tables.ts';
import { replaceTriggerWords } from '../store/triggers.ts';

/**
 * Restores an archived memory. Throws `conflict` when it is not archived, when it was merged (a merge is undone as a
 * whole), or when a later change builds on the archiving.
 */
export async function restore(ctx: Context, id: string): Promise<void> {
  const [memory] = await lockMemories(ctx.db, [id]);
  if (!memory?.archived_at)
    throw new AppError('conflict', 'This memory is not archived, so there is nothing to restore.');
  const change = await findRetirement(ctx.db, id);
  if (change?.kind === 'merge') {
    throw new AppError('conflict', `This memory was merged. Use undo_merge with merge_id ${change.id}.`, {
      merge_id: change.id,
    });
  }
  if (change) await undo(ctx, change.id);
  else await restoreUnrecorded(ctx, memory);
}

/** Memories that were archived before changes were recorded. */
async function restoreUnrecorded(ctx: Context, memory: MemoryRow): Promise<void> {
  await setFields(ctx.db, memory.id, { archived_at: null, archive_reason: null, superseded_by: null });
  if (memory.superseded_by) {
    const ends = { source_memory_id: memory.superseded_by, target_memory_id: memory.id };
    await deleteLinks(ctx.db, [{ ...ends, relationship_type: 'supersedes' }]);
  }
  await ctx.emit(memoriesRestored({ ids: [memory.id], brain_id: memory.brain_id }, { brainId: memory.brain_id }));
}

/** Undoes a change by its id. Returns the memories that are live again. Throws `conflict` with the obstacle. */
export async function undo(ctx: Context, changeId: string): Promise<string[]> {
  const change = await lockChange(ctx.db, changeId);
  if (change.undone_at) throw new AppError('conflict', `This ${change.kind} was already undone.`);
  const steps = await listChangeSteps(ctx.db, changeId);
  const changed = steps.filter((step) => step.before !== null);
  const memories = await lockMemories(ctx.db, [...new Set(changed.map(({ memoryId }) => memoryId))]);
  const ids = memories.map((memory) => memory.id);
  const later = await findLaterChange(ctx.db, change, ids);
  if (later) {
    throw new AppError('conflict', `A later ${later.kind} (${later.id}) builds on this one. Undo it first.`, {
      change_id: later.id,
    });
  }
  const moved = memories.find((memory) => memory.brain_id !== change.brain_id);
  if (moved) {
    throw new AppError('conflict', `Memory ${moved.id} is in another brain now. Move it back with move_memory first.`);
  }
  for (const step of changed) await revert(ctx, memories, step);
  const added = steps.flatMap((step) => (step.before === null ? [step.after] : []));
  await deleteLinks(ctx.db, added);
  await markUndone(ctx.db, changeId, { label: ctx.caller.label, at: ctx.now });
  const restored = changed.filter(({ after }) => 'archived_at' in after).map(({ memoryId }) => memoryId);
  await forgetGathering(ctx.db, [change.brain_id]);
  await ctx.emit(memoriesRestored({ ids: restored, brain_id: change.brain_id }, { brainId: change.brain_id }));
  return restored;
}

async function revert(ctx: Context, memories: readonly MemoryRow[], step: Step): Promise<void> {
  const memory = memories.find(({ id }) => id === step.memoryId);
  if (!memory || step.before === null) throw new Error('a step of a change names no memory');
  const { before, after } = step;
  for (const [field, value] of Object.entries(after)) {
    const present = memory[field as keyof Fields];
    // A successor that was deleted with its brain is missing although this memory has no change.
    const isGone = field === 'superseded_by' && present === null;
    if (!isGone && JSON.stringify(present) !== JSON.stringify(value)) {
      throw new AppError(
        'conflict',
        `The ${field} of memory ${memory.id} changed later, so undoing would lose that change.`,
      );
    }
  }
  const dates = before.archived_at ? { archived_at: new Date(before.archived_at) } : {};
  await setFields(ctx.db, memory.id, { ...before, ...dates });
  if (before.triggers) await replaceTriggerWords(ctx.db, { ...memory, triggers: before.triggers });
}
