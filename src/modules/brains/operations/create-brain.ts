import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainNameField, description, language } from '../brain-fields.ts';
import { brainId } from '../ids.ts';
import type { ReadLimits } from '../limits.ts';
import { addBrain, formatBrainName } from '../new-brain.ts';

export function createBrain(readLimits: ReadLimits) {
  return defineOperation({
    name: 'create_brain',
    summary: 'Create a brain for a team, product or unit, optionally below another one.',
    toolset: 'brains',
    effect: 'write',
    access: {
      scope: 'brains:write',
      brain: { role: 'admin', of: 'parent_brain_id', whenAbsent: 'allow' },
      isForPeople: true,
    },
    rest: [{ method: 'POST', path: '/v1/brains' }],
    input: z.strictObject({
      name: brainNameField,
      description: description.optional(),
      parent_brain_id: brainId.optional(),
      language: language.default('en'),
    }),
    output: z.object({ brain_id: z.uuid(), name: z.string(), your_role: z.literal('owner'), message: z.string() }),
    errors: ['not_found', 'forbidden', 'plan_limit'],
    examples: [
      {
        title: 'A brain for a team',
        input: { name: 'Deal Support', description: 'Call scripts, objection handling, competitive intel' },
      },
    ],
    async run(ctx, input) {
      const { description: text = '', parent_brain_id = null, language: spoken } = input;
      const name = formatBrainName(input.name);
      const about = { name, description: text, routing_rules: '', language: spoken, parent_brain_id };
      const id = await addBrain(ctx, readLimits, about);
      const hint = text ? '' : ' Add a description, or no memory is routed here.';
      return {
        brain_id: id,
        name,
        your_role: 'owner' as const,
        message: `Brain created. Invite members with POST /v1/brains/${id}/members.${hint}`,
      };
    },
  });
}
