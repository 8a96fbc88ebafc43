// Workflows in answers.
import type { Context } from '#kernel/context';
import { uri } from '#kernel/uri';
import { listWorkflowAutomations, type WorkflowAutomation } from '#modules/automations';
import { listBoardNames } from '#modules/boards';
import { z } from 'zod';
import { computeDeadlineEnd } from './deadline-ends.ts';
import { measureKpi } from './measure-kpi.ts';
import { kpiQuery, rosterEntry, type Deadline } from './parts.ts';
import type { WorkflowRow } from './store/tables.ts';
import { workflowStates } from './workflow-states.ts';

const deadlineStates = ['open', 'overdue', 'done'] as const;

const deadlineOutput = z.object({
  name: z.string(),
  due: z.string().describe('A date, or a time as ISO 8601 has it.'),
  is_done: z.boolean(),
  state: z.enum(deadlineStates),
});

/** A workflow in lists. */
export const workflowSummary = z.object({
  workflow_id: z.uuid(),
  brain_id: z.uuid(),
  owner_id: z.uuid().describe('The person who made it.'),
  title: z.string(),
  state: z.enum(workflowStates),
  next_deadline: deadlineOutput.nullable().describe('The earliest deadline that is not done.'),
  automations: z.number().describe('How many automations it owns.'),
  active_automations: z.number(),
  version: z.number(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  closed_at: z.iso.datetime().nullable(),
  url: uri(),
});

/** A workflow with all its parts. */
export const workflowOutput = workflowSummary.omit({ automations: true, active_automations: true }).extend({
  charter: z.string(),
  roster: z.array(rosterEntry),
  kpis: z.array(
    z.object({
      name: z.string(),
      target: z.number().nullable(),
      unit: z.string(),
      value: z.number().nullable(),
      measured_at: z.iso.datetime().nullable().describe('When the value was given or computed.'),
      problem: z.string().nullable().describe('Why its query has no value.'),
      query: kpiQuery.nullable(),
    }),
  ),
  deadlines: z.array(deadlineOutput),
  automations: z.array(
    z.object({
      automation_id: z.uuid(),
      name: z.string(),
      state: z.enum(['active', 'paused']),
      next_run_at: z.iso.datetime().nullable(),
      paused_reason: z.string().nullable(),
      admin_url: uri(),
    }),
  ),
  boards: z
    .array(z.object({ board_id: z.uuid(), name: z.string(), url: uri() }))
    .describe('The boards that its KPIs read and its automations write to.'),
});

export function buildWorkflowUrl(publicUrl: string, workflowId: string): string {
  return `${publicUrl}/workflows/${workflowId}`;
}

/** A workflow for a list, with its automations. */
export function presentSummary(
  row: WorkflowRow,
  automations: readonly WorkflowAutomation[],
  { now, publicUrl }: { now: Date; publicUrl: string },
): z.output<typeof workflowSummary> {
  const counts = {
    automations: automations.length,
    active_automations: automations.filter(({ state }) => state === 'active').length,
  };
  return { ...presentHead(row, now, publicUrl), ...counts };
}

/** A workflow with its parts, measured with the caller's rights. */
export async function presentWorkflow(
  ctx: Context,
  row: WorkflowRow,
  publicUrl: string,
): Promise<z.output<typeof workflowOutput>> {
  const automations = await listWorkflowAutomations(ctx.db, [row.id]);
  const kpis: z.output<typeof workflowOutput>['kpis'] = [];
  for (const kpi of row.kpis) {
    const { value, measuredAt, problem } = await measureKpi(ctx, kpi);
    const { name, target, unit, query } = kpi;
    kpis.push({ name, target, unit, value, measured_at: measuredAt, problem, query });
  }
  return {
    ...presentHead(row, ctx.now, publicUrl),
    charter: row.charter,
    roster: row.roster,
    kpis,
    deadlines: row.deadlines.map((deadline) => presentDeadline(deadline, ctx.now)),
    automations: automations.flatMap(({ id, name, state, next_run_at, paused_reason }) => {
      if (state === 'killed') return [];
      const admin_url = `${publicUrl}/automations/${id}`;
      return [{ automation_id: id, name, state, next_run_at: formatTime(next_run_at), paused_reason, admin_url }];
    }),
    boards: await listUsedBoards(ctx, row, automations, publicUrl),
  };
}

function presentHead(row: WorkflowRow, now: Date, publicUrl: string) {
  const { id, brain_id, person_id, title, state, version, created_by, created_at, updated_at, closed_at } = row;
  const [next] = row.deadlines
    .filter(({ is_done }) => !is_done)
    .toSorted((a, b) => computeDeadlineEnd(a) - computeDeadlineEnd(b));
  return {
    workflow_id: id,
    brain_id,
    owner_id: person_id,
    title,
    state,
    next_deadline: next ? presentDeadline(next, now) : null,
    version,
    created_by,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    closed_at: formatTime(closed_at),
    url: buildWorkflowUrl(publicUrl, id),
  };
}

/** The readable boards that a workflow reads and writes. */
async function listUsedBoards(
  ctx: Context,
  { kpis }: WorkflowRow,
  automations: readonly WorkflowAutomation[],
  publicUrl: string,
) {
  if (!ctx.caller.scopes.has('boards:read')) return [];
  const read = kpis.flatMap(({ query }) => query?.board_id ?? []);
  const written = automations.flatMap(({ writes_to_boards }) => writes_to_boards);
  const { roles } = await ctx.brains();
  const boards = await listBoardNames(ctx.db, [...new Set([...read, ...written])]);
  return boards
    .filter(({ brain_id }) => roles.has(brain_id))
    .map(({ id, name }) => ({ board_id: id, name, url: `${publicUrl}/boards/${id}` }));
}

function presentDeadline(deadline: Deadline, now: Date): z.output<typeof deadlineOutput> {
  const isLate = computeDeadlineEnd(deadline) <= now.getTime();
  const open = isLate ? ('overdue' as const) : ('open' as const);
  return { ...deadline, state: deadline.is_done ? 'done' : open };
}

function formatTime(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
