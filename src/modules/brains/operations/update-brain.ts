import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainNameField, description, language, routingRules } from '../brain-fields.ts';
import { brainUpdated } from '../events.ts';
import { brainId } from '../ids.ts';
import type { ReadLimits } from '../limits.ts';
import { formatBrainName } from '../new-brain.ts';
import { checkMove } from '../place.ts';
import { changeBrain, lockBrain, type Brain } from '../store/brains.ts';

const input = z.strictObject({
  brain_id: brainId,
  name: brainNameField.optional(),
  description: description.optional(),
  routing_rules: routingRules.optional(),
  language: language.optional(),
  parent_brain_id: brainId.nullable().optional().describe('The brain to put it below; null moves it to the top.'),
});

export function updateBrain(readLimits: ReadLimits) {
  return defineOperation({
    name: 'update_brain',
    summary: 'Change the name, description, routing rules or language of a brain, or move it in the tree.',
    toolset: 'brains',
    effect: 'write',
    isWidening: true,
    access: {
      scope: 'brains:write',
      brain: { role: 'admin', of: ['brain_id', 'parent_brain_id'] },
      isForPeople: true,
      also: [{ scope: 'brains:move', when: (_ctx, { parent_brain_id }) => parent_brain_id !== undefined }],
    },
    rest: [{ method: 'PATCH', path: '/v1/brains/{brain_id}' }],
    aliases: { id: 'brain_id' },
    input,
    output: z.object({
      brain_id: z.uuid(),
      name: z.string(),
      description: z.string(),
      routing_rules: z.string(),
      language: z.string(),
      parent_brain_id: z.uuid().nullable(),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'Set routing rules',
        input: {
          brain_id: createExampleId('brain'),
          routing_rules: 'Call scripts stay here. Competitive intel → Market Intel Brain.',
        },
      },
      { title: 'Move it to the top of the tree', input: { brain_id: createExampleId('brain'), parent_brain_id: null } },
    ],
    async run(ctx, { brain_id, name, ...change }) {
      if (name === undefined && !Object.keys(change).length) {
        throw new AppError('invalid_input', 'Nothing to change. Give at least one field besides brain_id.');
      }
      await checkPlace(ctx, readLimits, brain_id, change.parent_brain_id);
      const changed = await changeBrain(ctx.db, brain_id, {
        ...change,
        ...(name !== undefined && { name: formatBrainName(name) }),
      });
      const { id, personal_to: _whose, ...brain } = changed;
      await ctx.emit(brainUpdated({ brain_id: id, name: brain.name }, { brainId: id }));
      return { brain_id: id, ...brain };
    },
  });
}

/** Locks the brain, and throws when its new place is not allowed. */
async function checkPlace(
  ctx: Context,
  readLimits: ReadLimits,
  lockedBrainId: string,
  parentId: string | null | undefined,
): Promise<void> {
  const limits = await readLimits(ctx);
  const before = await lockBrain(ctx.db, lockedBrainId);
  if (!before) throw createNotFoundError('brain');
  if (parentId === undefined || parentId === before.parent_brain_id) return;
  await checkMayMove(ctx, before);
  await checkMove(ctx.db, limits, before, parentId);
}

/** Only the owner may move a brain: otherwise an admin could move it below their own brain and become its owner. */
async function checkMayMove(ctx: Context, { id }: Brain): Promise<void> {
  const role = (await ctx.brains()).roles.get(id);
  if (role === 'owner' || ctx.caller.role !== 'member') return;
  throw new AppError('forbidden', 'Only the owner of a brain or a workspace administrator may move it.');
}
