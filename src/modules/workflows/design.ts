// The design of a workflow: all of it that a recipe says. It has neither team, values nor state.
import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import {
  applyAutomationDesign,
  buildAutomationDesign,
  listWorkflowAutomations,
  pauseAutomation,
  readAutomationDesign,
  toAutomationInput,
  type AutomationDesign,
  type SaveDeps,
} from '#modules/automations';
import type { WorkflowInput } from './save-workflow.ts';
import { emitWorkflowChanged } from './events.ts';
import { mergeDeadlines, mergeKpis, type Deadline, type Kpi } from './parts.ts';
import { checkKpis, saveOwnAutomations } from './save-parts.ts';
import type { Db } from '#kernel/database';
import { changeWorkflow, findWorkflow, lockWorkflow } from './store/workflows.ts';
import { checkIsOpen } from './workflow-states.ts';

type DesignedKpi = Pick<Kpi, 'name' | 'target' | 'unit' | 'query'>;
type DesignedDeadline = Pick<Deadline, 'name' | 'due'>;

export type WorkflowDesign = {
  title: string;
  charter: string;
  kpis: DesignedKpi[];
  deadlines: DesignedDeadline[];
  automations: AutomationDesign[];
};

/** The design of a workflow that is created like this. */
export function buildWorkflowDesign(
  { title, charter, kpis, deadlines, automations }: WorkflowInput,
  { find }: Pick<SaveDeps, 'find'>,
  at: Date,
): WorkflowDesign {
  return {
    title,
    charter,
    kpis: mergeKpis([], kpis, at).map(pickKpi),
    deadlines: mergeDeadlines([], deadlines).map(pickDeadline),
    automations: automations.map((automation) => buildAutomationDesign(automation, find)),
  };
}

/** The design of a workflow as it is now, as `readAutomationDesign`. Throws `not_found` for one that was deleted. */
export async function readWorkflowDesign(
  db: Db,
  workflowId: string,
  { changeIds = [] }: { changeIds?: readonly string[] } = {},
): Promise<WorkflowDesign> {
  const workflow = await findWorkflow(db, workflowId);
  if (!workflow) throw createNotFoundError('workflow');
  const { title, charter, kpis, deadlines } = workflow;
  const automations: AutomationDesign[] = [];
  for (const { id } of await listWorkflowAutomations(db, [workflowId]))
    automations.push(await readAutomationDesign(db, id, { changeIds }));
  return { title, charter, kpis: kpis.map(pickKpi), deadlines: deadlines.map(pickDeadline), automations };
}

type DesignRequest = { design: WorkflowDesign; isSeen: boolean; changeIds?: readonly string[] };

/**
 * Gives a workflow a design. Team, values and what is done stay; an automation that is left out is paused and stays.
 * Returns the ids of the changes of automations that wait for a person. Throws `conflict` for a workflow that is closed.
 */
export async function applyWorkflowDesign(
  ctx: Context,
  workflowId: string,
  { design, ...request }: DesignRequest,
  deps: SaveDeps,
): Promise<string[]> {
  const workflow = await lockWorkflow(ctx.db, workflowId);
  if (!workflow) throw createNotFoundError('workflow');
  checkIsOpen(workflow.state);
  const { title, charter } = design;
  const kpis = design.kpis.map((kpi) => ({ ...getValue(kpi, workflow.kpis), ...kpi }));
  await checkKpis(ctx, kpis);
  const deadlines = design.deadlines.map((deadline) => ({
    ...deadline,
    is_done: workflow.deadlines.some(({ name, is_done }) => name === deadline.name && is_done),
  }));
  await changeWorkflow(ctx.db, workflow, { title, charter, kpis, deadlines }, ctx.now);
  const waiting = await applyAutomations(ctx, workflowId, { automations: design.automations, ...request }, deps);
  await emitWorkflowChanged(ctx, workflow, workflow.state);
  return waiting;
}

async function applyAutomations(
  ctx: Context,
  workflowId: string,
  { automations, isSeen, changeIds = [] }: Omit<DesignRequest, 'design'> & Pick<WorkflowDesign, 'automations'>,
  deps: SaveDeps,
): Promise<string[]> {
  const waiting: string[] = [];
  const present = new Map<string, string>();
  for (const { id, name } of await listWorkflowAutomations(ctx.db, [workflowId])) {
    const { name: later } = await readAutomationDesign(ctx.db, id, { changeIds }); // a pending change may rename it
    const design = automations.find((each) => each.name === name || each.name === later);
    present.set(design?.name ?? name, id);
    if (!design) await pauseAutomation(ctx, id, 'The present version of its recipe no longer has it.');
    const change = design && (await applyAutomationDesign(ctx, id, { design, isSeen, changeIds }, deps));
    if (change) waiting.push(change);
  }
  const added = automations.filter(({ name }) => !present.has(name));
  await saveOwnAutomations(ctx, workflowId, added.map(toAutomationInput), deps);
  return waiting;
}

/** The value of a KPI stays where it comes by hand before and after. */
function getValue({ name, query }: DesignedKpi, present: readonly Kpi[]): Pick<Kpi, 'value' | 'measured_at'> {
  const before = present.find((kpi) => kpi.name === name);
  if (query || !before || before.query) return { value: null, measured_at: null };
  return { value: before.value, measured_at: before.measured_at };
}

function pickKpi({ name, target, unit, query }: Kpi): DesignedKpi {
  return { name, target, unit, query };
}

function pickDeadline({ name, due }: Deadline): DesignedDeadline {
  return { name, due };
}
