import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { listWorkflowAutomations } from '#modules/automations';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { presentSummary, workflowSummary } from '../present-workflow.ts';
import { listWorkflows as list } from '../store/workflows.ts';
import { workflowStates } from '../workflow-states.ts';

export function listWorkflows({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_workflows',
    summary: 'List workflows, newest first, with their state, next deadline and number of automations.',
    toolset: 'workflows',
    effect: 'read',
    access: { scope: 'workflows:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/workflows' }],
    input: z.strictObject({
      brain_id: brainId.optional(),
      state: z.enum(workflowStates).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z
        .string()
        .max(100)
        .optional()
        .describe('`next_cursor` of the previous page. Leave it out for the first page.'),
    }),
    output: z.object({
      workflows: z.array(workflowSummary),
      next_cursor: z.string().nullable().describe('Null: this is the last page.'),
    }),
    errors: ['not_found', 'invalid_input'],
    examples: [{ title: 'Those that are under way', input: { state: 'active' } }],
    async run(ctx, { brain_id, state, limit, cursor }) {
      const after = cursor === undefined ? null : parseCursor(cursor);
      const brainIds = await listReadableBrainIds(ctx, brain_id);
      // One more than requested shows whether another page follows.
      const rows = await list(ctx.db, { brainIds, state, after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const ids = page.map(({ id }) => id);
      const automations = Map.groupBy(await listWorkflowAutomations(ctx.db, ids), ({ workflow_id }) => workflow_id);
      const shown = { now: ctx.now, publicUrl };
      return {
        workflows: page.map((row) => presentSummary(row, automations.get(row.id) ?? [], shown)),
        next_cursor: rows.length > limit ? (ids.at(-1) ?? null) : null,
      };
    },
  });
}

function parseCursor(cursor: string): string {
  const { data } = z.uuid().safeParse(cursor);
  if (data) return data;
  throw new AppError('invalid_input', 'cursor: not from this list. Use next_cursor of its previous answer.');
}
