import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { automationOutput, present, presentRun, runOutput, states } from '../fields.ts';
import { listAutomations as list } from '../store/automations.ts';
import { mapLastRuns } from '../store/runs.ts';

export function listAutomations({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_automations',
    summary: 'List your automations with their state, next run and last run.',
    toolset: 'automations',
    effect: 'read',
    access: { scope: 'automations:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/automations' }],
    input: z.strictObject({
      state: z.enum(states).optional().describe('Default: all except deleted ones.'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    output: z.object({
      automations: z.array(automationOutput.extend({ last_run: runOutput.nullable() })),
      total: z.number(),
    }),
    errors: [],
    examples: [{ title: 'All of them', input: {} }],
    async run(ctx, filter) {
      const { rows, total } = await list(ctx.db, ctx.caller, filter);
      const last = await mapLastRuns(
        ctx.db,
        rows.map(({ id }) => id),
      );
      const automations = rows.map((row) => {
        const run = last.get(row.id);
        return { ...present(row, publicUrl), last_run: run ? presentRun(run) : null };
      });
      return { automations, total };
    },
  });
}
