// The fields of automations in inputs and answers.
import { runModes } from '#kernel/caller';
import { languages } from '#platform/sandbox';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { ListedRun } from './store/runs.ts';
import type { AutomationRow } from './store/tables.ts';
import { trigger, triggerKinds } from './triggers.ts';

export const automationName = z.string().trim().min(1).max(200).describe('Unique among your automations.');
export const source = z
  .string()
  .min(1)
  .max(200_000)
  .describe('The whole script. Top-level await and return are allowed; brains.*, env.* and fetch are available.');
export const language = z.enum(languages).describe('The language of the script.');
export const triggers = z.array(trigger).min(1).max(20);
export const toolGrants = z
  .array(
    z.strictObject({ tool: z.string().min(1).max(100), params: z.record(z.string().max(100), z.unknown()).optional() }),
  )
  .min(1)
  .max(100)
  .describe(
    'The operations it may call. params: values that a call must have, max_* as upper limits; for http_fetch hosts, and reads [{method: "POST", url, graphql?}]: endpoints where a POST only reads, once a person accepts them on its page.',
  );
export const hosts = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^[a-z0-9.-]+$/, 'must be a bare host name, such as api.stripe.com'),
  )
  .max(50)
  .describe('Hosts that http_fetch may reach, such as api.stripe.com.');
export const costCap = z.number().min(0).max(100).describe('US dollars a day for language models.');
export const wallCap = z.number().int().min(5).max(300);
export const tokenCap = z.number().int().min(100).max(2_000_000);
export const writePolicy = z
  .enum(['always_draft', 'auto_confirm_safe'])
  .describe(
    'always_draft: everything that leaves the server waits for a person. auto_confirm_safe: the code may confirm its own actions of the safe set.',
  );
export const overlap = z
  .enum(['skip', 'queue', 'parallel'])
  .describe(
    'What happens when a schedule or event starts it while it runs. skip: nothing, so an event is lost. Default: queue with an event trigger, otherwise skip.',
  );
export const retries = z.number().int().min(0).max(5).describe('How often a failed run is retried.');
export const settings = z
  .record(
    z
      .string()
      .max(110)
      .regex(
        /^(?:[a-z0-9_]{1,64}|(?:inputs|ids)\.[a-z0-9_-]{1,100})$/,
        'must be lower case letters, digits and _; of a recipe inputs.<name> or ids.<slug>',
      ),
    z.string().max(8_192),
  )
  .refine((given) => Object.keys(given).length <= 100, 'may have at most 100 names')
  .describe('Plain values by name. They replace {{name}} in the source. Never secrets.');
export const states = ['active', 'paused', 'killed'] as const;
export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'killed'] as const;

export const fixtureName = z.string().trim().min(1).max(100);
export const effectOutput = z.object({ operation: z.string(), input: z.unknown() });

export const automationOutput = z.object({
  automation_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  intent: z.string(),
  state: z.enum(states),
  owner_id: z.uuid(),
  workflow_id: z.uuid().nullable().describe('The workflow that owns it; null: it stands alone.'),
  active_version_id: z.uuid(),
  triggers: z.array(z.record(z.string(), z.unknown())),
  settings: z.record(z.string(), z.string()).describe('Plain values that stand in the source for {{name}}.'),
  tool_grants: z.array(z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()).optional() })),
  write_policy: writePolicy,
  cost_cap_daily_usd: z.number(),
  max_wall_seconds: z.number(),
  max_llm_tokens: z.number(),
  model: z.string(),
  overlap,
  max_retries: z.number(),
  writes_to_boards: z.array(z.uuid()),
  dedupe_key_field: z.string().nullable(),
  dedupe_target_field: z.string().nullable(),
  next_run_at: z.iso.datetime().nullable(),
  paused_reason: z.string().nullable().describe('Why it was paused automatically.'),
  has_webhook_address: z
    .boolean()
    .describe('Whether it has an address that starts it, made by rotate_automation_webhook.'),
  webhook_ended_reason: z.string().nullable().describe('Why its address ended automatically.'),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  admin_url: uri(),
});

/** An automation in answers. */
export function present(row: AutomationRow, publicUrl: string): z.output<typeof automationOutput> {
  const { name, description, intent, state, active_version_id, triggers, tool_grants, write_policy, model, overlap } =
    row;
  const { cost_cap_daily_usd, max_wall_seconds, max_llm_tokens, max_retries, writes_to_boards, settings } = row;
  return {
    automation_id: row.id,
    owner_id: row.person_id,
    workflow_id: row.workflow_id,
    name,
    description,
    intent,
    state,
    active_version_id,
    triggers,
    settings,
    tool_grants,
    write_policy,
    model,
    overlap,
    cost_cap_daily_usd,
    max_wall_seconds,
    max_llm_tokens,
    max_retries,
    writes_to_boards,
    dedupe_key_field: row.dedupe_key_field,
    dedupe_target_field: row.dedupe_target_field,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    paused_reason: row.paused_reason,
    has_webhook_address: row.webhook_hash !== null,
    webhook_ended_reason: row.webhook_ended_reason,
    created_by: row.created_by_label,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    admin_url: buildAdminUrl(publicUrl, row.id),
  };
}

export function buildAdminUrl(publicUrl: string, automationId: string): string {
  return `${publicUrl}/automations/${automationId}`;
}

export const runOutput = z.object({
  run_id: z.uuid(),
  automation_id: z.uuid(),
  version_id: z.uuid(),
  trigger_kind: z.enum(triggerKinds),
  mode: z.enum(runModes),
  status: z.enum(runStatuses),
  attempt: z.number(),
  due_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  duration_ms: z.number().nullable(),
  exit_code: z.number().nullable(),
  kill_reason: z.string().nullable().describe('Why it was stopped before its code ended: a limit, a cap, or a person.'),
  error: z.string().nullable(),
  cost_usd: z.number(),
  llm_tokens: z.number(),
  replay_of: z.uuid().nullable(),
});

export function presentRun(run: ListedRun): z.output<typeof runOutput> {
  const { id, automation_id, version_id, trigger_kind, mode, status, attempt, duration_ms, exit_code, kill_reason } =
    run;
  return {
    run_id: id,
    automation_id,
    version_id,
    trigger_kind,
    mode,
    status,
    attempt,
    duration_ms,
    exit_code,
    kill_reason,
    due_at: run.due_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: run.finished_at?.toISOString() ?? null,
    error: run.error?.message ?? null,
    cost_usd: Number(run.cost_micro_usd) / 1_000_000,
    llm_tokens: Number(run.llm_tokens),
    replay_of: run.replay_of,
  };
}
