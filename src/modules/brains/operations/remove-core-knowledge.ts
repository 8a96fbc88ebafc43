import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { removeItem } from '../core-knowledge.ts';
import { brainId, coreKnowledgeId } from '../ids.ts';
import { findActiveItem } from '../store/core-knowledge.ts';
import { changesKnowledge, suggest, suggestionOutput } from '../suggestions.ts';

export const removeCoreKnowledge = defineOperation({
  name: 'remove_core_knowledge',
  summary:
    "Remove an item of core knowledge. It stays in the history. An agent's call is a suggestion that a person accepts.",
  toolset: 'brains',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'admin', of: 'brain_id' }, also: [changesKnowledge] },
  rest: [{ method: 'DELETE', path: '/v1/brains/{brain_id}/core-knowledge/{item_id}' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({ brain_id: brainId, item_id: coreKnowledgeId }),
  output: z.object({ id: z.uuid(), removed: z.boolean(), suggestion: suggestionOutput }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'A rule that no longer applies',
      input: { brain_id: createExampleId('brain'), item_id: createExampleId('core_knowledge') },
    },
  ],
  async run(ctx, { brain_id, item_id }) {
    await removeItem(ctx, brain_id, item_id);
    return { id: item_id, removed: true };
  },
  async suggest(ctx, { brain_id, item_id }) {
    const item = await findActiveItem(ctx.db, brain_id, { id: item_id });
    if (!item) throw createNotFoundError('active item of core knowledge');
    const input = { item_id, section: item.section };
    const suggestion = await suggest(ctx, { kind: 'remove_core_knowledge', brainId: brain_id, input });
    return { id: item_id, removed: false, suggestion };
  },
});
