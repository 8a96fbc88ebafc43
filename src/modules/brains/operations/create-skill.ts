import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import type { ReadLimits } from '../limits.ts';
import { addSkill, skillContent, skillName } from '../skills.ts';

export function createSkill(readLimits: ReadLimits) {
  return defineOperation({
    name: 'create_skill',
    summary: 'Put a skill into the library of the workspace: instructions that can be assigned to brains and agents.',
    toolset: 'brains',
    effect: 'write',
    access: { scope: 'brains:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/skills' }],
    input: z.strictObject({ name: skillName, content: skillContent }),
    output: z.object({ skill_id: z.uuid(), name: z.string(), version: z.number().int() }),
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
  });
}
