// Plans and installs in answers.
import type { Context } from '#kernel/context';
import { scopes } from '#kernel/scopes';
import { uri } from '#kernel/uri';
import { buildWorkflowUrl } from '#modules/workflows';
import { z } from 'zod';
import { recipeKinds } from '../manifest/kinds.ts';
import { presentSummary, recipeSummary, toSummaryRow } from '../codex/present-recipe.ts';
import type { AppliedStep } from './apply-plan.ts';
import { describeStep, mergeDescriptions } from './describe-step.ts';
import { listMissingAccounts, listMissingSecrets } from './find-missing.ts';
import { listPlanScopes } from './needed-scopes.ts';
import type { InstallPlan } from './plan-install.ts';

const plannedStep = z.object({
  slug: z.string(),
  recipe_name: z.string(),
  kind: z.enum(recipeKinds),
  version: z.string(),
  action: z
    .enum(['create', 'use', 'recover'])
    .describe('use: the brain has it already. recover: it was uninstalled, and comes back.'),
  name: z.string().describe('What it will be called, or is called.'),
  chain: z.array(z.string()).describe('From the recipe to this one: why it is needed.'),
  bundle: z.string().nullable().describe('The bundle that it is a part of.'),
  install_id: z.uuid().nullable().describe('Of what the brain has.'),
});

export const planOutput = z.object({
  recipe: recipeSummary,
  brain_id: z.uuid(),
  is_installed: z.boolean().describe('The brain already has it under this name: applying it changes nothing.'),
  steps: z.array(plannedStep).describe('What is installed, in order; the recipe itself is last.'),
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  hosts: z.array(z.string()).describe('The hosts that it may send requests to.'),
  grants: z
    .array(z.object({ slug: z.string(), tool: z.string(), params: z.record(z.string(), z.unknown()).optional() }))
    .describe('The operations that its automations may call, once a person activates them.'),
  missing: z.object({
    inputs: z.array(z.object({ slug: z.string(), name: z.string(), description: z.string(), type: z.string() })),
    secrets: z.array(z.object({ slug: z.string(), name: z.string(), description: z.string() })),
    accounts: z.array(
      z.object({
        slug: z.string(),
        provider: z.string(),
        reason: z.string().nullable(),
        connect_url: z.string().nullable().describe('The page where a person links one.'),
      }),
    ),
    scopes: z.array(z.enum(scopes)).describe('Permissions that the caller needs and does not have.'),
  }),
  cost: z.object({
    most_usd_a_month: z.number().describe('The most that its language models can cost.'),
    runs_a_month: z.number().nullable().describe('Null: nothing runs on a schedule.'),
  }),
});

export async function presentPlan(
  ctx: Context,
  plan: InstallPlan,
  publicUrl: string,
): Promise<z.output<typeof planOutput>> {
  const { target, brainId } = plan.request;
  const created = plan.steps.filter(({ action }) => action === 'create');
  const described = [];
  const secrets = [];
  const accounts = [];
  for (const step of created) described.push(await describeStep(step, plan, ctx.now));
  for (const step of plan.steps) {
    secrets.push(...(await listMissingSecrets(ctx, step.codex, brainId)));
    accounts.push(...(await listMissingAccounts(ctx, step.codex, publicUrl)));
  }
  const { runs_a_month, most_usd_a_month, ...does } = mergeDescriptions(described);
  return {
    recipe: presentSummary(toSummaryRow(target), publicUrl),
    brain_id: brainId,
    is_installed: plan.steps.every(({ action }) => action === 'use'),
    steps: plan.steps.map((step) => ({
      slug: step.codex.recipe.slug,
      recipe_name: step.codex.recipe.name,
      kind: step.codex.recipe.kind,
      version: step.install?.version ?? step.codex.version,
      action: step.action,
      name: step.install?.name ?? step.name,
      chain: step.chain,
      bundle: step.bundle,
      install_id: step.install?.id ?? null,
    })),
    ...does,
    missing: {
      inputs: plan.missingInputs,
      secrets,
      accounts,
      scopes: listPlanScopes(plan).filter((scope) => !ctx.caller.scopes.has(scope)),
    },
    cost: { runs_a_month, most_usd_a_month },
  };
}

const createdOutput = z.object({
  kind: z.enum(recipeKinds),
  id: z
    .uuid()
    .describe('Of the board, automation or workflow; of a bundle and of an integration without code the install.'),
  name: z.string(),
  slug: z.string(),
  version: z.string(),
  install_id: z.uuid(),
  is_new: z.boolean().describe('False: the brain had it already.'),
});

export const appliedOutput = z.object({
  recipe: recipeSummary,
  created: createdOutput,
  install_id: z.uuid(),
  board_id: z.uuid().optional(),
  automation_id: z.uuid().optional(),
  workflow_id: z.uuid().optional(),
  url: uri().describe('Its page in the console.'),
  state: z.string().describe('needs_setup: a secret or an account is missing.'),
  dependencies_used: z.array(createdOutput).optional().describe('Installs of the brain that it uses.'),
  cascade_installed: z.array(createdOutput).optional().describe('What was installed with it.'),
  recovered: createdOutput.optional().describe('It was uninstalled, and is back.'),
});

export function presentApplied(
  { request: { target } }: InstallPlan,
  applied: readonly AppliedStep[],
  publicUrl: string,
): z.output<typeof appliedOutput> {
  const own = applied.at(-1);
  if (!own) throw new Error('a plan has at least its target');
  const others = applied.slice(0, -1);
  const used = others.filter(({ outcome }) => outcome === 'used').map(presentCreated);
  const added = others.filter(({ outcome }) => outcome !== 'used').map(presentCreated);
  const { id, entity_id, state } = own.install;
  const made = getMadeKind(own);
  return {
    recipe: presentSummary(toSummaryRow(target), publicUrl),
    created: presentCreated(own),
    install_id: id,
    ...(made && { [`${made}_id`]: entity_id }),
    url: buildUrl(own, publicUrl),
    state,
    ...(own.outcome === 'recovered' && { recovered: presentCreated(own) }),
    ...(used.length && { dependencies_used: used }),
    ...(added.length && { cascade_installed: added }),
  };
}

function presentCreated({ install, entityName, outcome }: AppliedStep): z.output<typeof createdOutput> {
  const { id, entity_id, entity_kind, slug, version } = install;
  return {
    kind: entity_kind,
    id: entity_id,
    name: entityName,
    slug,
    version,
    install_id: id,
    is_new: outcome === 'created',
  };
}

/** What has a page of its own; null for bundles and integrations without code. */
function getMadeKind({
  install: { id, entity_id, entity_kind },
}: AppliedStep): 'board' | 'automation' | 'workflow' | null {
  if (id === entity_id || entity_kind === 'bundle') return null;
  return entity_kind === 'integration' ? 'automation' : entity_kind;
}

function buildUrl(step: AppliedStep, publicUrl: string): string {
  const kind = getMadeKind(step);
  const { entity_id } = step.install;
  if (kind === null) return `${publicUrl}/installs`;
  return kind === 'workflow' ? buildWorkflowUrl(publicUrl, entity_id) : `${publicUrl}/${kind}s/${entity_id}`;
}
