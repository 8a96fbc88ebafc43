import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { newSection, setSection } from '../core-knowledge.ts';
import { brainId } from '../ids.ts';
import { visibilities } from '../store/core-knowledge.ts';
import { changesKnowledge, suggest, suggestionOutput } from '../suggestions.ts';

export const addCoreKnowledge = defineOperation({
  name: 'add_core_knowledge',
  summary:
    "Set core knowledge for a brain and the brains below. It replaces the section's item, which is kept in the history. An agent's call is a suggestion that a person accepts.",
  toolset: 'brains',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'admin', of: 'brain_id' }, also: [changesKnowledge] },
  rest: [{ method: 'POST', path: '/v1/brains/{brain_id}/core-knowledge' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({
    brain_id: brainId,
    ...newSection.shape,
  }),
  output: z.object({
    id: z.uuid().nullable(),
    section: z.string(),
    version: z.number().int().nullable(),
    visibility: z.enum(visibilities),
    replaced: z.uuid().nullable().describe('The item that this replaces.'),
    suggestion: suggestionOutput,
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'A style rule',
      input: {
        brain_id: createExampleId('brain'),
        section: 'writing_style',
        content: 'Always write in third person limited. Never head-hop within a scene.',
      },
    },
  ],
  async run(ctx, { brain_id, ...given }) {
    const { id, version, replaced } = await setSection(ctx, brain_id, given);
    return { id, section: given.section, version, visibility: given.visibility, replaced };
  },
  async suggest(ctx, { brain_id, ...given }) {
    const suggestion = await suggest(ctx, { kind: 'add_core_knowledge', brainId: brain_id, input: given });
    return {
      id: null,
      section: given.section,
      version: null,
      visibility: given.visibility,
      replaced: null,
      suggestion,
    };
  },
});
