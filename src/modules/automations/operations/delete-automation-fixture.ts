import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { fixtureName } from '../fields.ts';
import { automationId } from '../ids.ts';
import { deleteFixture } from '../store/fixtures.ts';

export const deleteAutomationFixture = defineOperation({
  name: 'delete_automation_fixture',
  summary: 'Delete a fixture of an automation. Activation then no longer requires it.',
  toolset: 'automations',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'automations:activate', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/automations/{automation_id}/fixtures/{name}' }],
  input: z.strictObject({ automation_id: automationId, name: fixtureName }),
  output: z.object({ automation_id: z.uuid(), name: z.string() }),
  errors: ['not_found'],
  examples: [
    { title: 'It is outdated', input: { automation_id: createExampleId('tested_automation'), name: 'Usual' } },
  ],
  async run(ctx, { automation_id, name }) {
    if (!(await deleteFixture(ctx.db, automation_id, name))) throw createNotFoundError('fixture');
    return { automation_id, name };
  },
});
