import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { automationInput, saveAutomation, type SaveDeps } from '../save-automation.ts';

export function saveAutomationDraft(deps: SaveDeps) {
  return defineOperation({
    name: 'save_automation_draft',
    summary:
      'Save a new automation, paused. Try it with run_automation_once, and edit it with update_automation. A person activates it.',
    toolset: 'automations',
    effect: 'write',
    access: { scope: 'automations:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automations' }],
    input: automationInput,
    output: z.object({
      automation_id: z.uuid(),
      version_id: z.uuid(),
      version: z.number(),
      state: z.literal('paused'),
      admin_url: uri(),
      notice: z.string().optional().describe('Names in double braces without a secret.'),
    }),
    errors: ['invalid_input', 'conflict'],
    examples: [
      {
        title: 'Every Monday at 9',
        input: {
          name: 'Weekly note',
          source: 'await brains.add_memory({ content: "A week has begun." });',
          triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'America/New_York' }],
          tool_grants: [{ tool: 'add_memory' }],
        },
      },
    ],
    run: (ctx, input) => saveAutomation(ctx, input, deps),
  });
}
