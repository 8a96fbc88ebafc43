// What one recipe of a plan reads, writes and costs, as data for people and agents.
import { estimateNewAutomation } from '#modules/automations';
import { getEndpointHost } from '../manifest/reading-template.ts';
import { describeSchedule } from '#platform/dates';
import type { EntityInput } from '../manifest/render-entity.ts';
import { getEntityKind } from '../manifest/render-entity.ts';
import type { RenderValues } from '../manifest/render-template.ts';
import { parseEntity } from './make-entity.ts';
import type { InstallPlan, PlannedStep } from './plan-install.ts';

type Grant = { slug: string; tool: string; params?: Record<string, unknown> };

/** What a step does. `runs_a_month`, `most_usd_a_month`: null and 0 where nothing runs. */
export type StepDescription = {
  reads: string[];
  writes: string[];
  hosts: string[];
  grants: Grant[];
  runs_a_month: number | null;
  most_usd_a_month: number;
};

const nothing: StepDescription = {
  reads: [],
  writes: [],
  hosts: [],
  grants: [],
  runs_a_month: null,
  most_usd_a_month: 0,
};
const sampleId = '00000000-0000-7000-8000-000000000000';

/** Throws `invalid_input` where the values of the plan do not fit the template. */
export async function describeStep(
  { codex: { recipe }, name, inputs, isTarget }: PlannedStep,
  { request: { brainId, overrides } }: InstallPlan,
  now: Date,
): Promise<StepDescription> {
  if (recipe.kind === 'bundle') return nothing;
  const ids = Object.fromEntries(recipe.depends.map(({ slug }) => [slug, sampleId]));
  const values: RenderValues = { inputs, ids: { ...ids, brain: brainId, account: '' } };
  const given = { values, overrides: isTarget ? overrides : {} };
  const kind = getEntityKind(recipe);
  if (kind === 'board') return describeBoard(name, parseEntity(recipe, kind, given));
  if (kind === 'reading') return describeReading(parseEntity(recipe, kind, given));
  if (kind === 'automation') return describeAutomation(recipe.slug, { ...parseEntity(recipe, kind, given), name }, now);
  const { automations } = parseEntity(recipe, kind, given);
  const own = [];
  for (const each of automations) own.push(await describeAutomation(recipe.slug, each, now));
  return mergeDescriptions([{ ...nothing, writes: [`Creates the workflow ${name}.`] }, ...own]);
}

function describeBoard(name: string, { datasets = {} }: EntityInput<'board'>): StepDescription {
  const names = Object.keys(datasets);
  const rows = Object.values(datasets).reduce((sum, dataset) => sum + dataset.rows.length, 0);
  const lists = names.length ? ` with ${names.join(', ')}` : '';
  return { ...nothing, writes: [`Creates the board ${name}${lists}${rows ? `, and ${rows} rows` : ''}.`] };
}

function describeReading({ trigger, endpoints, mapping }: EntityInput<'reading'>): StepDescription {
  return {
    ...nothing,
    reads: endpoints.map(({ url }) => `${url}, ${describeSchedule(trigger)}.`),
    writes: [`Stores each item as a page of type ${mapping.page_type}.`],
    hosts: endpoints.map(getEndpointHost),
  };
}

async function describeAutomation(
  slug: string,
  automation: EntityInput<'automation'>,
  now: Date,
): Promise<StepDescription> {
  const { name, triggers, tool_grants, acknowledged_http_fetch_hosts: hosts = [] } = automation;
  const { runs_a_month, most_usd_a_month, basis } = await estimateNewAutomation(automation, now);
  return {
    reads: [],
    writes: [`Saves the automation ${name}, paused. Started by: ${triggers.map(describeTrigger).join('; ')}.`],
    hosts,
    grants: tool_grants.map(({ tool, params }) => ({ slug, tool, ...(params && { params }) })),
    runs_a_month,
    most_usd_a_month: basis.cost === 'no_model' ? 0 : most_usd_a_month,
  };
}

type Trigger = EntityInput<'automation'>['triggers'][number];

const triggerWords: Record<Exclude<Trigger['kind'], 'cron'>, string> = {
  page_ingested: 'new pages',
  board_change: 'changes of boards',
  webhook: 'a request to its address',
  manual: 'a person',
};

function describeTrigger(trigger: Trigger): string {
  return trigger.kind === 'cron' ? describeSchedule(trigger) : triggerWords[trigger.kind];
}

/** Several descriptions as one. */
export function mergeDescriptions(all: readonly StepDescription[]): StepDescription {
  const runs = all.flatMap(({ runs_a_month }) => runs_a_month ?? []);
  return {
    reads: all.flatMap(({ reads }) => reads),
    writes: all.flatMap(({ writes }) => writes),
    hosts: [...new Set(all.flatMap(({ hosts }) => hosts))],
    grants: all.flatMap(({ grants }) => grants),
    runs_a_month: runs.length ? runs.reduce((sum, each) => sum + each, 0) : null,
    most_usd_a_month: all.reduce((sum, { most_usd_a_month }) => sum + most_usd_a_month, 0),
  };
}
