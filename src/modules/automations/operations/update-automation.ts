import type { Context } from '#kernel/context';
import { AppError, notFound } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation, type Access } from '#kernel/operation';
import { z } from 'zod';
import { checkGrants, type FindOperation } from '../check-grants.ts';
import { automationChanged } from '../events.ts';
import {
  adminUrl,
  automationName,
  costCap,
  hosts,
  overlap,
  retries,
  source,
  states,
  tokenCap,
  toolGrants,
  triggers,
  wallCap,
  writePolicy,
} from '../fields.ts';
import { automationId } from '../ids.ts';
import {
  findAutomation,
  findVersion,
  hostsOf,
  insertVersion,
  lockAutomation,
  setHosts,
  updateAutomationRow,
  type AutomationChange,
} from '../store/automations.ts';
import type { AutomationRow } from '../store/tables.ts';
import { nextTime } from '../triggers.ts';

const input = z.strictObject({
  automation_id: automationId,
  name: automationName.optional(),
  description: z.string().max(500).optional(),
  intent: z.string().max(2_000).optional(),
  source: source.optional(),
  tool_grants: toolGrants.optional(),
  triggers: triggers.optional(),
  cost_cap_daily_usd: costCap.optional(),
  max_wall_seconds: wallCap.optional(),
  max_llm_tokens: tokenCap.optional(),
  model: z.string().min(1).max(100).optional(),
  write_policy: writePolicy.optional(),
  overlap: overlap.optional(),
  max_retries: retries.optional(),
  acknowledged_http_fetch_hosts: hosts.optional(),
  state: z.enum(['active', 'paused']).optional().describe('delete_automation ends it for good.'),
  active_version_id: z.uuid().optional().describe('An earlier version, to go back to it.'),
  seen_updated_at: z.iso.datetime().optional().describe('`updated_at` as it was shown: refused if it changed since.'),
});
type Input = z.output<typeof input>;

/** What changes what it does or may do, so that a person stands behind it while it is active. */
const doing = [
  'source',
  'tool_grants',
  'triggers',
  'cost_cap_daily_usd',
  'max_wall_seconds',
  'max_llm_tokens',
  'write_policy',
  'acknowledged_http_fetch_hosts',
  'active_version_id',
] as const;

async function needsActivation(ctx: Context, wish: Input): Promise<boolean> {
  if (wish.state === 'active') return true;
  if (wish.state === 'paused' || doing.every((field) => wish[field] === undefined)) return false;
  return (await findAutomation(ctx.db, wish.automation_id))?.state === 'active';
}

/** Whoever may save and pause may also change what sleeps; what runs by itself has a person behind it. */
const access: Access<Input> = {
  scope: 'automations:write',
  isForPeople: true,
  also: [{ scope: 'automations:activate', when: needsActivation }],
};

const examples = [
  { title: 'Activate it', input: { automation_id: exampleId('automation'), state: 'active' as const } },
  { title: 'Pause it', input: { automation_id: exampleId('automation'), state: 'paused' as const } },
];

export function updateAutomation({ publicUrl, find }: { publicUrl: string; find: FindOperation }) {
  return defineOperation({
    name: 'update_automation',
    summary:
      'Change, activate, pause or roll back an automation. New source is a new version; lists replace the old ones as a whole.',
    toolset: 'automations',
    effect: 'write',
    isWidening: true,
    access,
    rest: [{ method: 'PATCH', path: '/v1/automations/{automation_id}' }],
    input,
    output: z.object({
      automation_id: z.uuid(),
      version_id: z.uuid().optional(),
      version: z.number().optional(),
      columns_changed: z.array(z.string()),
      state: z.enum(states),
      admin_url: z.url(),
    }),
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples,
    async run(ctx, { automation_id, seen_updated_at: seen, ...wish }) {
      const { source: script, acknowledged_http_fetch_hosts, active_version_id, ...fields } = wish;
      const automation = await lockAutomation(ctx.db, automation_id);
      checkMayChange(automation, seen);
      const given = Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== undefined),
      ) as AutomationChange;
      if (!Object.keys(given).length && !script && !acknowledged_http_fetch_hosts && !active_version_id)
        throw new AppError('invalid_input', 'Name at least one field to change.');
      if (given.tool_grants || acknowledged_http_fetch_hosts) {
        const allowed = acknowledged_http_fetch_hosts ?? (await hostsOf(ctx.db, automation_id));
        checkGrants(given.tool_grants ?? automation.tool_grants, allowed, find);
      }
      if (acknowledged_http_fetch_hosts) await setHosts(ctx.db, automation, acknowledged_http_fetch_hosts);
      const made = await newVersion(ctx, automation, script);
      const back = active_version_id && !made ? await earlier(ctx, automation, active_version_id) : null;
      const change = {
        ...given,
        ...(made && { active_version_id: made.version_id }),
        ...(back && { active_version_id: back }),
      };
      const after = { ...automation, ...change };
      const next_run_at = after.state === 'active' ? nextAfter(ctx, automation, change) : null;
      await updateAutomationRow(ctx.db, automation_id, { ...change, next_run_at, updated_at: ctx.now }).catch(
        asConflict,
      );
      await ctx.emit(automationChanged({ automation_id, state: after.state }, { personId: automation.person_id }));
      const hostsChanged = acknowledged_http_fetch_hosts ? ['acknowledged_http_fetch_hosts'] : [];
      return {
        automation_id,
        ...made,
        columns_changed: [...Object.keys(given), ...hostsChanged, ...(back ? ['active_version_id'] : [])],
        state: after.state,
        admin_url: adminUrl(publicUrl, automation_id),
      };
    },
  });
}

/** Nobody activates what they have not seen: an agent may have changed it while a person looked. */
function checkMayChange({ state, updated_at }: AutomationRow, seen: string | undefined): void {
  if (state === 'killed') throw new AppError('conflict', 'This automation was ended. Save it as a new one.');
  if (seen === undefined || updated_at.toISOString() === new Date(seen).toISOString()) return;
  const message = 'This automation changed after it was shown to you. Nothing was changed now: look at it again.';
  throw new AppError('conflict', message, { updated_at: updated_at.toISOString() });
}

async function newVersion(ctx: Context, { id, workspace_id }: AutomationRow, script: string | undefined) {
  if (script === undefined) return null;
  const version_id = ctx.newId();
  const row = {
    id: version_id,
    workspace_id,
    automation_id: id,
    source: script,
    created_by_label: ctx.caller.label,
    created_at: ctx.now,
  };
  return { version_id, version: await insertVersion(ctx.db, row) };
}

async function earlier(ctx: Context, { id }: AutomationRow, versionId: string): Promise<string> {
  if (!(await findVersion(ctx.db, id, versionId))) throw notFound('version');
  return versionId;
}

/** A schedule that stays keeps its next time; a new one, or one that begins anew, counts from now. */
function nextAfter({ now }: Context, before: AutomationRow, change: AutomationChange): Date | null {
  if (before.state === 'active' && !change.triggers) return before.next_run_at;
  return nextTime(change.triggers ?? before.triggers, now);
}

function asConflict(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505')
    throw new AppError('conflict', 'You have another automation of this name.');
  throw error;
}
