import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { agentId, brainId, skillId } from '../ids.ts';
import { changeSkillAssignment } from '../change-skill-assignment.ts';
import { getSkillHolder } from '../skills.ts';
import { changesKnowledge, suggestionOutput, suggestPlacing } from '../suggestions.ts';

export const assignSkill = defineOperation({
  name: 'assign_skill',
  summary: 'Assign a skill to a brain (and the brains below) or to one agent, or turn it on or off there.',
  toolset: 'brains',
  effect: 'write',
  access: {
    scope: 'memory:write',
    brain: { role: 'admin', of: 'brain_id', whenAbsent: 'allow' },
    isForPeople: true,
    also: [changesKnowledge],
  },
  rest: [{ method: 'POST', path: '/v1/skills/{skill_id}/assignments' }],
  input: z.strictObject({
    skill_id: skillId,
    brain_id: brainId.optional(),
    agent_id: agentId.optional(),
    is_enabled: z.boolean().default(true),
  }),
  output: z.object({
    skill_id: z.uuid(),
    brain_id: z.uuid().nullable(),
    agent_id: z.uuid().nullable(),
    is_enabled: z.boolean(),
    suggestion: suggestionOutput,
  }),
  errors: ['not_found', 'forbidden', 'invalid_input', 'conflict'],
  examples: [
    { title: 'For a whole team', input: { skill_id: createExampleId('skill'), brain_id: createExampleId('brain') } },
    { title: 'For one agent', input: { skill_id: createExampleId('skill'), agent_id: createExampleId('key') } },
  ],
  async run(ctx, { skill_id, brain_id, agent_id, is_enabled }) {
    await changeSkillAssignment(ctx, skill_id, getSkillHolder({ brain_id, agent_id }), {
      action: 'assign',
      is_enabled,
    });
    return { skill_id, brain_id: brain_id ?? null, agent_id: agent_id ?? null, is_enabled };
  },
  async suggest(ctx, { skill_id, brain_id, agent_id, is_enabled }) {
    const wanted = { action: 'assign', is_enabled } as const;
    const suggestion = await suggestPlacing(ctx, skill_id, getSkillHolder({ brain_id, agent_id }), wanted);
    return { skill_id, brain_id: brain_id ?? null, agent_id: agent_id ?? null, is_enabled, suggestion };
  },
});
