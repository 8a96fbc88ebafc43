import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { BrainContents, BrainDependent } from '#kernel/brain-contents';
import { brainDeleted } from '../events.ts';
import { brainId } from '../ids.ts';
import { listChildBrains, lockBrainToDelete, removeBrain, type Brain } from '../store/brains.ts';
import { listMemberIds } from '../store/members.ts';

type DeleteBrainDeps = { contents: readonly BrainContents[]; dependents: readonly BrainDependent[] };

/** Deletes the brain with these contents, after its dependents. */
export function deleteBrain({ contents, dependents }: DeleteBrainDeps) {
  return defineOperation({
    name: 'delete_brain',
    summary: 'Delete a brain and everything in it permanently. Export it first.',
    toolset: 'brains',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'brains:delete', brain: { role: 'admin', of: 'brain_id' }, isForPeople: true },
    rest: [{ method: 'DELETE', path: '/v1/brains/{brain_id}' }],
    input: z.strictObject({
      brain_id: brainId,
      confirm: z.string().max(300).describe('The exact name of the brain, as a confirmation.'),
    }),
    output: z.object({
      deleted: z.literal(true),
      brain_id: z.uuid(),
      counts: z
        .record(z.string(), z.number().int())
        .describe('How many items were deleted, discarded or revoked, by kind.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [
      {
        title: 'A team that was dissolved',
        input: { brain_id: createExampleId('brain'), confirm: 'Deal Support Brain' },
      },
    ],
    async run(ctx, { brain_id, confirm }) {
      const brain = await lockBrainToDelete(ctx.db, brain_id);
      if (!brain) throw createNotFoundError('brain');
      await checkDeletion(ctx, brain, confirm);
      const counts: Record<string, number> = {};
      for (const { name, count } of contents) counts[name] = (await count(ctx.db, [brain_id])).get(brain_id) ?? 0;
      for (const { release } of dependents) Object.assign(counts, await release(ctx, brain_id));
      const memberIds = await listMemberIds(ctx.db, brain_id);
      const { workspaceId, personId: by } = ctx.caller;
      await removeBrain(ctx.db, { id: brain_id, workspaceId, by, at: ctx.now });
      // The deleted brain has no members left to receive the event.
      for (const personId of memberIds) await ctx.emit(brainDeleted({ brain_id }, { personId }));
      return { deleted: true as const, brain_id, counts };
    },
  });
}

async function checkDeletion(ctx: Context, brain: Brain, confirm: string): Promise<void> {
  const { roles } = await ctx.brains();
  if (roles.get(brain.id) !== 'owner' && ctx.caller.role === 'member') {
    throw new AppError('forbidden', 'Only the owner of a brain or a workspace administrator may delete it.');
  }
  if (brain.personal_to)
    throw new AppError('conflict', 'A personal brain cannot be deleted. Archive its memories instead.');
  if (confirm !== brain.name) {
    throw new AppError('invalid_input', `confirm: must be the exact name of the brain, «${brain.name}».`);
  }
  const children = await listChildBrains(ctx.db, brain.id);
  if (!children.length) return;
  const visible = children.filter(({ id }) => roles.has(id));
  const names = visible.length ? `: ${visible.map(({ name }) => name).join(', ')}` : '';
  throw new AppError(
    'conflict',
    `${children.length === 1 ? 'There is a brain' : `There are ${children.length} brains`} below this one${names}. Move or delete them first.`,
    {
      children: visible,
    },
  );
}
