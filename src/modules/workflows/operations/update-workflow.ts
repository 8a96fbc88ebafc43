import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { listWorkflowAutomations, pauseWorkflowAutomations, type SaveDeps } from '#modules/automations';
import { z } from 'zod';
import { emitWorkflowChanged } from '../events.ts';
import { workflowId } from '../ids.ts';
import { buildRosterEntries } from '../join-roster.ts';
import {
  charter,
  deadlines,
  kpis,
  mergeDeadlines,
  mergeKpis,
  mergeRoster,
  removeByName,
  roster,
  title,
  type RosterEntry,
} from '../parts.ts';
import { buildWorkflowUrl, presentWorkflow } from '../present-workflow.ts';
import { automationScopes, checkKpis, ownAutomations, saveOwnAutomations } from '../save-parts.ts';
import type { WorkflowRow } from '../store/tables.ts';
import { changeWorkflow, lockWorkflow, type WorkflowChange } from '../store/workflows.ts';
import { checkIsOpen, moveToState, workflowStates } from '../workflow-states.ts';

const names = z.array(z.string().max(100)).max(50);

const input = z
  .strictObject({
    workflow_id: workflowId,
    title: title.optional(),
    charter: charter.optional(),
    state: z
      .enum(['active', 'paused'])
      .optional()
      .describe('paused: its automations are paused, too. active: they stay paused until a person activates each.'),
    roster: roster.optional().describe('Members to add, and new parts of those that are there.'),
    remove_from_roster: z.array(z.uuid()).max(50).optional().describe('Ids of members, as `get_workflow` shows them.'),
    kpis: kpis.optional().describe('KPIs to add, and new fields of those of the same name, such as a value.'),
    remove_kpis: names.optional(),
    deadlines: deadlines.optional().describe('Deadlines to add, and new fields of those of the same name.'),
    remove_deadlines: names.optional(),
    automations: ownAutomations.optional().describe('Automations to add. They are saved paused.'),
    expected_version: z.number().int().optional().describe('`version` as it was read: refused if it changed since.'),
  })
  .refine(
    ({ workflow_id: _id, expected_version: _version, ...change }) => Object.keys(change).length > 0,
    'give at least one field to change',
  );
type Input = z.output<typeof input>;

export function updateWorkflow(deps: SaveDeps) {
  return defineOperation({
    name: 'update_workflow',
    summary:
      'Change, pause or resume a workflow. Roster, KPIs and deadlines that are not named stay. A pause also pauses its automations.',
    toolset: 'workflows',
    effect: 'write',
    access: { scope: 'workflows:write', brain: { role: 'editor', of: 'workflow_id' }, also: [automationScopes] },
    rest: [{ method: 'PATCH', path: '/v1/workflows/{workflow_id}' }],
    input,
    output: z.object({
      workflow_id: z.uuid(),
      state: z.enum(workflowStates),
      version: z.number(),
      paused_automations: z.number().describe('How many of its automations this call paused.'),
      url: uri(),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input', 'conflict'],
    examples: [
      {
        title: 'A value by hand',
        input: { workflow_id: createExampleId('workflow'), kpis: [{ name: 'Pilot customers', value: 7 }] },
      },
      { title: 'Pause it', input: { workflow_id: createExampleId('workflow'), state: 'paused' } },
    ],
    async run(ctx, request) {
      const workflow = await lockWorkflow(ctx.db, request.workflow_id);
      if (!workflow) throw createNotFoundError('workflow');
      checkIsOpen(workflow.state);
      await checkVersion(ctx, workflow, request.expected_version, deps.publicUrl);
      const state = moveToState(workflow.state, request.state ?? workflow.state);
      await saveOwnAutomations(ctx, workflow.id, request.automations ?? [], deps);
      const change = await buildChange(ctx, workflow, request);
      const version = await changeWorkflow(ctx.db, workflow, { ...change, state }, ctx.now);
      const paused_automations =
        request.state === 'paused' ? await pauseWorkflowAutomations(ctx, [workflow.id], 'Its workflow was paused.') : 0;
      await emitWorkflowChanged(ctx, workflow, state);
      const url = buildWorkflowUrl(deps.publicUrl, workflow.id);
      return { workflow_id: workflow.id, state, version, paused_automations, url };
    },
  });
}

async function checkVersion(
  ctx: Context,
  workflow: WorkflowRow,
  expected: number | undefined,
  publicUrl: string,
): Promise<void> {
  if (expected === undefined || expected === workflow.version) return;
  const message = `This workflow has changed since: it is at version ${workflow.version}. Nothing was changed now: look at it again.`;
  throw new AppError('conflict', message, { workflow: await presentWorkflow(ctx, workflow, publicUrl) });
}

async function buildChange(ctx: Context, workflow: WorkflowRow, request: Input): Promise<WorkflowChange> {
  const { title: newTitle, charter: newCharter } = request;
  const change: WorkflowChange = {
    ...(newTitle !== undefined && { title: newTitle }),
    ...(newCharter !== undefined && { charter: newCharter }),
    ...((request.roster ?? request.remove_from_roster) && { roster: await changeRoster(ctx, workflow, request) }),
  };
  if (request.kpis ?? request.remove_kpis) {
    const stay = removeByName('remove_kpis', workflow.kpis, request.remove_kpis ?? []);
    change.kpis = mergeKpis(stay, request.kpis ?? [], ctx.now);
    const given = new Set((request.kpis ?? []).map(({ name }) => name.toLowerCase()));
    await checkKpis(
      ctx,
      change.kpis.filter(({ name }) => given.has(name.toLowerCase())),
    );
  }
  if (request.deadlines ?? request.remove_deadlines) {
    const stay = removeByName('remove_deadlines', workflow.deadlines, request.remove_deadlines ?? []);
    change.deadlines = mergeDeadlines(stay, request.deadlines ?? []);
  }
  return change;
}

async function changeRoster(ctx: Context, workflow: WorkflowRow, request: Input): Promise<RosterEntry[]> {
  const removed = request.remove_from_roster ?? [];
  const unknown = removed.find((id) => !workflow.roster.some((entry) => entry.id === id));
  if (unknown) throw new AppError('invalid_input', `remove_from_roster: this workflow has no member ${unknown}.`);
  const stay = workflow.roster.filter(({ id }) => !removed.includes(id));
  const own = await listWorkflowAutomations(ctx.db, [workflow.id]);
  return mergeRoster(stay, await buildRosterEntries(ctx, request.roster ?? [], own));
}
