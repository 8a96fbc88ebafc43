// Assigns a skill to a brain or an agent, removes it, and turns it on and off.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { checkSkillHolder } from './skills.ts';
import { assign, enable, unassign, type SkillHolder } from './store/skills.ts';

/** Changes of an assignment. `is_enabled`: whether the assigned skill is on. */
export const placing = z.object({
  action: z.enum(['assign', 'unassign', 'enable', 'disable']),
  is_enabled: z.boolean().default(true),
});
export type SkillPlacement = z.output<typeof placing>;

/** Changes an assignment. Throws unless the caller may assign skills there. */
export async function changeSkillAssignment(
  ctx: Context,
  skillId: string,
  holder: SkillHolder,
  { action, is_enabled }: SkillPlacement,
): Promise<void> {
  await checkSkillHolder(ctx, holder);
  if (action === 'assign') return assignTo(ctx, skillId, holder, is_enabled);
  const wasThere =
    action === 'unassign'
      ? await unassign(ctx.db, skillId, holder)
      : await enable(ctx.db, skillId, holder, action === 'enable');
  if (!wasThere) throw new AppError('conflict', 'The skill is not assigned there. Use action=assign first.');
}

function assignTo(ctx: Context, skillId: string, holder: SkillHolder, isEnabled: boolean): Promise<void> {
  return assign(ctx.db, holder, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    skill_id: skillId,
    is_enabled: isEnabled,
    assigned_by: ctx.caller.personId,
    at: ctx.now,
  });
}
