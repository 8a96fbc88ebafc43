import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation, type Access } from '#kernel/operation';
import type { MeteredLlm } from '#modules/usage';
import { findNamesNotice } from '#modules/variables';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import {
  applyChange,
  checkMayChange,
  checkWanted,
  findEarlierVersionId,
  storeVersion,
} from '../changes/apply-change.ts';
import { toPublicName, wasEverActive } from '../changes/activation.ts';
import { changeOutput, presentChange } from '../changes/present-change.ts';
import { checkIsOwner, resolveGrantNames, type FindOperation } from '../check-grants.ts';
import { automationChanged } from '../events.ts';
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
  states,
  tokenCap,
  toolGrants,
  triggers,
  wallCap,
  writePolicy,
} from '../fields.ts';
import { fillSettings } from '../fill-settings.ts';
import { automationId } from '../ids.ts';
import { checkModel, modelName } from '../models.ts';
import { findAutomation, lockAutomation } from '../store/automations.ts';
import { insertChange } from '../store/changes.ts';
import type { AutomationRow, WantedFields } from '../store/tables.ts';

const input = z.strictObject({
  automation_id: automationId,
  name: automationName.optional(),
  description: z.string().max(500).optional(),
  intent: z.string().max(2_000).optional(),
  source: source.optional(),
  language: language.optional().describe('The language of the new source; default: that of the active version.'),
  tool_grants: toolGrants.optional(),
  triggers: triggers.optional(),
  cost_cap_daily_usd: costCap.optional(),
  max_wall_seconds: wallCap.optional(),
  max_llm_tokens: tokenCap.optional(),
  model: modelName.optional(),
  write_policy: writePolicy.optional(),
  overlap: overlap.optional(),
  max_retries: retries.optional(),
  settings: settings.optional(),
  acknowledged_http_fetch_hosts: hosts.optional(),
  state: z.enum(['active', 'paused']).optional().describe('delete_automation deletes it permanently.'),
  active_version_id: z.uuid().optional().describe('An earlier version to return to.'),
  seen_updated_at: z.iso
    .datetime()
    .optional()
    .describe('`updated_at` as it was shown: the call is refused if it changed since.'),
});
type Input = z.output<typeof input>;

/** An agent may pause anything. Every other change of an automation that a person once activated waits for a person. */
async function needsActivation(ctx: Context, request: Input): Promise<boolean> {
  if (request.state === 'active') return true;
  const { automation_id, seen_updated_at: _seen, ...wanted } = request;
  if (isMerePause(wanted)) return false;
  const automation = await findAutomation(ctx.db, automation_id);
  return automation !== undefined && wasEverActive(automation);
}

/** A key that may save may change an automation that was never active. */
const access: Access<Input> = {
  scope: 'automations:write',
  isForPeople: true,
  also: [{ scope: 'automations:activate', when: needsActivation }],
};

const examples = [
  { title: 'Activate it', input: { automation_id: createExampleId('automation'), state: 'active' as const } },
  { title: 'Pause it', input: { automation_id: createExampleId('automation'), state: 'paused' as const } },
];

const output = z.object({
  automation_id: z.uuid(),
  version_id: z.uuid().optional(),
  version: z.number().optional(),
  columns_changed: z.array(z.string()),
  state: z.enum(states),
  waiting_change: changeOutput
    .optional()
    .describe('Nothing changed yet, except for a pause: a person must first accept the change on its page.'),
  admin_url: uri(),
  notice: z.string().optional().describe('Names in double braces without a secret.'),
});

type Deps = { publicUrl: string; find: FindOperation; llm: MeteredLlm | null };

export function updateAutomation({ publicUrl, find, llm }: Deps) {
  return defineOperation({
    name: 'update_automation',
    summary:
      'Change, activate, pause or roll back an automation. A new source makes a new version; lists are replaced as a whole. An agent’s change of an automation that a person activated waits for a person; a pause never does.',
    toolset: 'automations',
    effect: 'write',
    isWidening: true,
    access,
    rest: [{ method: 'PATCH', path: '/v1/automations/{automation_id}' }],
    input,
    output,
    errors: ['not_found', 'invalid_input', 'conflict', 'forbidden'],
    examples,
    async run(ctx, { automation_id, seen_updated_at: seen, ...request }) {
      checkModel(llm, request.model);
      const { automation, fields } = await readUpdateRequest(ctx, find, automation_id, request, seen);
      const { made, back, versionId } = await resolveVersion(ctx, automation, request);
      const { state } = await applyChange(ctx, find, automation, { fields, versionId });
      return {
        automation_id,
        ...made,
        columns_changed: [...listPublicNames(fields), ...(back ? ['active_version_id'] : [])],
        state,
        admin_url: buildAdminUrl(publicUrl, automation_id),
      };
    },
    async suggest(ctx, { automation_id, seen_updated_at: seen, ...request }) {
      if (request.state === 'active') throw needsPerson();
      checkModel(llm, request.model);
      const { automation, fields: all } = await readUpdateRequest(ctx, find, automation_id, request, seen);
      const { state: paused, ...fields } = all;
      await checkWanted(ctx, find, automation, fields);
      const { made, versionId } = await resolveVersion(ctx, automation, request);
      const after = paused ? await applyChange(ctx, find, automation, pause) : automation;
      const change = {
        id: ctx.newId(),
        workspace_id: automation.workspace_id,
        automation_id,
        version_id: versionId,
        fields,
        created_by_label: ctx.caller.label,
        created_at: ctx.now,
      };
      await insertChange(ctx.db, change);
      // A pause has emitted it.
      if (!paused)
        await ctx.emit(automationChanged({ automation_id, state: after.state }, { personId: automation.person_id }));
      return {
        automation_id,
        ...made,
        columns_changed: paused ? ['state'] : [],
        state: after.state,
        waiting_change: await presentChange(ctx.db, after, change),
        admin_url: buildAdminUrl(publicUrl, automation_id),
      };
    },
  });
}

const pause = { fields: { state: 'paused' as const }, versionId: null };

type UpdateRequest = Omit<Input, 'automation_id' | 'seen_updated_at'>;

/** The locked automation and its change. Throws when the caller may not make the change, or when it is empty. */
async function readUpdateRequest(
  ctx: Context,
  find: FindOperation,
  automationId: string,
  request: UpdateRequest,
  seen: string | undefined,
) {
  const automation = await lockAutomation(ctx.db, automationId);
  checkMayChange(automation, seen);
  const given = getUpdateFields(request);
  const fields = given.tool_grants ? { ...given, tool_grants: resolveGrantNames(given.tool_grants, find) } : given;
  checkNamesAny(request, fields);
  if (!isMerePause(request)) checkIsOwner(ctx, automation);
  return { automation, fields };
}

/** The version to activate: a new one from the given source, or an earlier one. */
async function resolveVersion(ctx: Context, automation: AutomationRow, request: UpdateRequest) {
  const { source: script, language: written, active_version_id, settings: values = automation.settings } = request;
  const made = script === undefined ? null : await storeVersion(ctx, automation, script, written);
  const notice = made && (await findNamesNotice(ctx.db, automation.person_id, fillSettings(script ?? '', values)));
  const back = active_version_id && !made ? await findEarlierVersionId(ctx, automation, active_version_id) : null;
  return { made: made && { ...made, ...(notice && { notice }) }, back, versionId: made?.version_id ?? back };
}

function getUpdateFields(wanted: UpdateRequest) {
  const { source: _source, language: _language, active_version_id: _version, ...rest } = wanted;
  const { acknowledged_http_fetch_hosts, ...request } = rest;
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  return {
    ...given,
    ...(acknowledged_http_fetch_hosts && { hosts: acknowledged_http_fetch_hosts }),
  } as WantedFields & {
    state?: 'active' | 'paused';
  }; // omitted fields are absent
}

/**
 * Administrators of the workspace may pause others' automations, and agents may pause those that a person activated.
 */
function isMerePause(request: UpdateRequest): boolean {
  return (
    request.state === 'paused' &&
    Object.entries(request).every(([name, value]) => name === 'state' || value === undefined)
  );
}

function listPublicNames(fields: object): string[] {
  return Object.keys(fields).map(toPublicName);
}

function checkNamesAny({ source: script, language: written, active_version_id }: UpdateRequest, fields: object): void {
  if (written !== undefined && script === undefined)
    throw new AppError('invalid_input', 'Also give the source in that language.');
  if (!Object.keys(fields).length && script === undefined && !active_version_id)
    throw new AppError('invalid_input', 'Pass at least one field to change.');
}

function needsPerson(): AppError {
  const message =
    'Only a person, on its page, or a key with the scope automations:activate can activate an automation.';
  return new AppError('forbidden', message, { scope: 'automations:activate' });
}
