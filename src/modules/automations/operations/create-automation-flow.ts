import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { buildPlaybook } from '../playbook.ts';

export const createAutomationFlow = defineOperation({
  name: 'create_automation_flow',
  summary: 'Start here to create an automation: get the steps to go through with the person, one question at a time.',
  toolset: 'automations',
  effect: 'read',
  access: { scope: 'automations:read', isForPeople: true },
  input: z.strictObject({
    purpose_hint: z.string().trim().max(500).optional().describe('Its purpose, if it is known.'),
  }),
  output: z.object({ purpose_hint: z.string().nullable(), playbook: z.string() }),
  errors: [],
  examples: [
    { title: 'A weekly report', input: { purpose_hint: 'Every Monday, add last week’s revenue to a board.' } },
  ],
  run: async (_ctx, { purpose_hint = null }) => ({ purpose_hint, playbook: buildPlaybook(purpose_hint) }),
});
