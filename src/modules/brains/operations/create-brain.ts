import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainNameField, description, language } from '../brain-fields.ts';
import { brainCreated } from '../events.ts';
import { brainId } from '../ids.ts';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { brainName } from '../new-brain.ts';
import { checkDepth } from '../place.ts';
import { countBrains, insertBrain } from '../store/brains.ts';

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
      const limits = await readLimits(ctx);
      if (limits.brains !== null) checkLimit(limits, 'brains', (await countBrains(ctx.db)) + 1);
      await checkDepth(ctx.db, limits, input.parent_brain_id ?? null);
      const id = ctx.newId();
      const name = brainName(input.name);
      await insertBrain(ctx.db, {
        id,
        workspaceId: ctx.caller.workspaceId,
        parentBrainId: input.parent_brain_id ?? null,
        name,
        description: input.description ?? '',
        routing_rules: '',
        language: input.language,
        personalTo: null,
        createdBy: ctx.caller.personId,
        at: ctx.now,
      });
      await ctx.emit(brainCreated({ brain_id: id, name }, { brainId: id }));
      const hint = input.description ? '' : ' Add a description, or no memory is routed here.';
      return {
        brain_id: id,
        name,
        your_role: 'owner' as const,
        message: `Brain created. Invite members with POST /v1/brains/${id}/members.${hint}`,
      };
    },
  });
}
