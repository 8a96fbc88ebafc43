import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { ReadLimits } from '../limits.ts';
import { addSkill, skillContent, skillName } from '../skills.ts';
import { changesKnowledge, suggest, suggestionOutput } from '../suggestions.ts';

export function createSkill(readLimits: ReadLimits) {
  return defineOperation({
    name: 'create_skill',
    summary: 'Add a skill to the library of the workspace: instructions that you assign to brains and agents.',
    toolset: 'brains',
    effect: 'write',
    access: { scope: 'memory:write', isForPeople: true, also: [changesKnowledge] },
    rest: [{ method: 'POST', path: '/v1/skills' }],
    input: z.strictObject({ name: skillName, content: skillContent }),
    output: z.object({
      skill_id: z.uuid().nullable(),
      name: z.string(),
      version: z.number().int().nullable(),
      suggestion: suggestionOutput,
    }),
    errors: ['forbidden', 'conflict', 'plan_limit'],
    examples: [
      {
        title: 'How reviews are done',
        input: { name: 'code-review', content: 'How we review code\n\nName the risk first. Suggest, do not order.' },
      },
    ],
    async run(ctx, input) {
      const { id, name, version } = await addSkill(ctx, readLimits, input);
      return { skill_id: id, name, version };
    },
    async suggest(ctx, input) {
      const suggestion = await suggest(ctx, { kind: 'save_skill', brainId: null, input });
      return { skill_id: null, name: input.name, version: null, suggestion };
    },
  });
}
