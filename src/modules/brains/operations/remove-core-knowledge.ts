import { notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainUpdated } from '../events.ts';
import { brainId, coreKnowledgeId } from '../ids.ts';
import { holdBrain } from '../store/brains.ts';
import { deactivateItem } from '../store/core-knowledge.ts';

export const removeCoreKnowledge = defineOperation({
  name: 'remove_core_knowledge',
  summary: 'Take an item of core knowledge out of force; it stays in the history.',
  toolset: 'brains',
  effect: 'write',
  access: { scope: 'brains:write', brain: { role: 'admin', of: 'brain_id' } },
  rest: [{ method: 'DELETE', path: '/v1/brains/{brain_id}/core-knowledge/{item_id}' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({ brain_id: brainId, item_id: coreKnowledgeId }),
  output: z.object({ id: z.uuid(), removed: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [
    {
      title: 'A rule that holds no more',
      input: { brain_id: exampleId('brain'), item_id: exampleId('core_knowledge') },
    },
  ],
  async run(ctx, { brain_id, item_id }) {
    const { caller, now: at } = ctx;
    const brain = await holdBrain(ctx.db, brain_id);
    const wasActive = await deactivateItem(ctx.db, { brainId: brain_id, id: item_id }, { label: caller.label, at });
    if (!brain || !wasActive) throw notFound('active item of core knowledge');
    await ctx.emit(brainUpdated({ brain_id, name: brain.name }, { brainId: brain_id }));
    return { id: item_id, removed: true as const };
  },
});
