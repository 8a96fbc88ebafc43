// Stores a new automation, paused.
import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { MeteredLlm } from '#modules/usage';
import { findNamesNotice } from '#modules/variables';
import { z } from 'zod';
import { checkGrants, resolveGrantNames, type FindOperation } from './check-grants.ts';
import { automationChanged } from './events.ts';
import {
  buildAdminUrl,
  automationName,
  costCap,
  hosts,
  language,
  overlap,
  retries,
  settings,
  source,
  tokenCap,
  toolGrants,
  triggers,
  wallCap,
  writePolicy,
} from './fields.ts';
import { checkModel, modelName, usualModel } from './models.ts';
import { checkOverlap } from './overlaps.ts';
import { fillSettings } from './fill-settings.ts';
import { insertAutomation, setHosts, type NewAutomation } from './store/automations.ts';
import { getUsualOverlap } from './triggers.ts';

/** What a new automation is made of. */
export const automationInput = z.strictObject({
  name: automationName,
  source,
  language: language.default('typescript'),
  triggers,
  tool_grants: toolGrants,
  description: z.string().max(500).default(''),
  intent: z.string().max(2_000).default('').describe('What it is for; overlapping automations are found by it.'),
  cost_cap_daily_usd: costCap.default(1),
  max_wall_seconds: wallCap.default(60),
  max_llm_tokens: tokenCap.default(200_000),
  model: modelName.default(usualModel),
  write_policy: writePolicy.default('always_draft'),
  overlap: overlap.optional(),
  max_retries: retries.default(0),
  settings: settings.default({}),
  writes_to_boards: z.array(z.uuid()).max(50).default([]),
  dedupe_key_field: z.string().min(1).max(100).optional(),
  dedupe_target_field: z.string().min(1).max(100).optional(),
  acknowledged_overlap: z.boolean().optional(),
  coexistence_note: z.string().trim().min(10).max(1_000).optional(),
  acknowledged_http_fetch_hosts: hosts.optional(),
});

export type AutomationInput = z.output<typeof automationInput>;

export type SaveDeps = { publicUrl: string; find: FindOperation; llm: MeteredLlm | null };

/** The workflow that owns an automation, and the brain where it writes; the caller's home brain without it. */
export type AutomationPlace = { workflowId?: string | null; brainId?: string };

/** Checks and stores an automation, of its own or of a workflow. Throws `conflict` where its owner has one of that name. */
export async function saveAutomation(
  ctx: Context,
  {
    source: script,
    language: written,
    acknowledged_http_fetch_hosts = [],
    acknowledged_overlap,
    ...wanted
  }: z.output<typeof automationInput>,
  { publicUrl, find, llm }: SaveDeps,
  place: AutomationPlace = {},
) {
  const given = { ...wanted, tool_grants: resolveGrantNames(wanted.tool_grants, find) };
  checkGrants(given.tool_grants, acknowledged_http_fetch_hosts, find);
  checkModel(llm, given.model);
  await checkOverlap(ctx, { ...given, acknowledged_overlap });
  const by = { created_by_label: ctx.caller.label, created_at: ctx.now };
  const version = { id: ctx.newId(), source: script, language: written, ...by };
  const automation = buildAutomationRow(ctx, given, place);
  const { id } = automation;
  if (!(await insertAutomation(ctx.db, automation, version)))
    throw new AppError(
      'conflict',
      `You have an automation called ${given.name}. Edit it by update_automation, or choose another name.`,
    );
  await setHosts(ctx.db, automation, acknowledged_http_fetch_hosts, canDoAllOfPerson(ctx.caller));
  await ctx.emit(automationChanged({ automation_id: id, state: 'paused' }, { personId: ctx.caller.personId }));
  const notice = await findNamesNotice(ctx.db, automation.person_id, fillSettings(script, automation.settings));
  return {
    ...(notice && { notice }),
    automation_id: id,
    version_id: version.id,
    version: 1,
    state: 'paused' as const,
    admin_url: buildAdminUrl(publicUrl, id),
  };
}

type NewAutomationInput = Omit<
  z.output<typeof automationInput>,
  'source' | 'language' | 'acknowledged_http_fetch_hosts' | 'acknowledged_overlap'
>;

function buildAutomationRow(
  { caller, now, newId }: Context,
  given: NewAutomationInput,
  { workflowId = null, brainId = caller.homeBrainId }: AutomationPlace,
): NewAutomation {
  return {
    ...given,
    overlap: given.overlap ?? getUsualOverlap(given.triggers),
    id: newId(),
    workspace_id: caller.workspaceId,
    person_id: caller.personId,
    brain_id: brainId,
    workflow_id: workflowId,
    state: 'paused',
    dedupe_key_field: given.dedupe_key_field ?? null,
    dedupe_target_field: given.dedupe_target_field ?? null,
    coexistence_note: given.coexistence_note ?? null,
    next_run_at: null,
    webhook_hash: null,
    webhook_made_by_key: null,
    webhook_ended_reason: null,
    activated_at: null,
    activated_by_label: null,
    activated_by_key: null,
    paused_reason: null,
    activated: null,
    created_by_label: caller.label,
    created_at: now,
    updated_at: now,
  };
}
