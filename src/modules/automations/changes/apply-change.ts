// Applies a change to an automation: directly, or after a person accepted a proposal.
import { canDoAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { Language } from '#platform/sandbox';
import { checkGrants, type FindOperation } from '../check-grants.ts';
import { automationChanged } from '../events.ts';
import { checkFreshPass } from '../fixtures/fresh-pass.ts';
import { bindVariables } from './bind-variables.ts';
import {
  findVersion,
  listAcknowledgedHosts,
  insertVersion,
  setHosts,
  updateAutomationRow,
  type AutomationChange,
} from '../store/automations.ts';
import type { AutomationRow, WantedFields } from '../store/tables.ts';
import { nextTime, getUsualOverlap } from '../triggers.ts';
import { computeAcceptedReads } from './accepted-reads.ts';
import { buildActivation } from './activation.ts';

/** The settings of an automation to change, and the version to make active. */
export type RequestedChange = { fields: WantedFields & { state?: 'active' | 'paused' }; versionId: string | null };

/**
 * Changes a locked row, and records what is active then. Only a caller who may activate reaches this, except for a mere
 * pause and automations that were never active. Throws when the grants are not allowed, or when it would be active with
 * fixtures that have not passed.
 */
export async function applyChange(
  ctx: Context,
  find: FindOperation,
  automation: AutomationRow,
  { fields: { hosts, ...fields }, versionId }: RequestedChange,
): Promise<AutomationRow> {
  const { id, person_id: personId } = automation;
  await checkWanted(ctx, find, automation, { hosts, ...fields });
  if (hosts) await setHosts(ctx.db, automation, hosts, canDoAllOfPerson(ctx.caller));
  const change: AutomationChange = {
    ...getAdjustedOverlap(automation, fields),
    ...fields,
    ...(versionId && { active_version_id: versionId }),
  };
  const after = { ...automation, ...change };
  const isActivated = after.state === 'active' && (versionId !== null || fields.state === 'active');
  if (isActivated) {
    await bindVariables(ctx, after);
    change.bound_version_id = after.active_version_id;
  }
  const isOther =
    versionId || hosts || fields.tool_grants || fields.write_policy || fields.settings || automation.state !== 'active';
  if (after.state === 'active' && isOther)
    await checkFreshPass(ctx.db, after, hosts ?? (await listAcknowledgedHosts(ctx.db, id)));
  const isActive = after.state === 'active';
  const reads = computeAcceptedReads(ctx, automation, after, fields);
  const activation = isActive
    ? await buildActivation(ctx, after, hosts ?? (await listAcknowledgedHosts(ctx.db, id)), reads)
    : {};
  const next_run_at = isActive ? computeNextAfterChange(ctx, automation, change) : null;
  const reason = fields.state ? { paused_reason: null } : {};
  const row = { ...change, ...activation, ...reason, next_run_at, updated_at: ctx.now };
  await updateAutomationRow(ctx.db, id, row).catch(throwAsConflict);
  await ctx.emit(automationChanged({ automation_id: id, state: after.state }, { personId }));
  return after;
}

/**
 * With its first event trigger, an automation that skips changes to queue: otherwise events would be lost without
 * anybody's choice.
 */
function getAdjustedOverlap({ overlap, triggers }: AutomationRow, { triggers: wanted }: WantedFields) {
  const skips = overlap === 'skip' && getUsualOverlap(triggers) === 'skip';
  return wanted && skips ? { overlap: getUsualOverlap(wanted) } : {};
}

/** Throws for grants that no automation may have, or that name unacknowledged hosts. */
export async function checkWanted(
  ctx: Context,
  find: FindOperation,
  { id, tool_grants }: Pick<AutomationRow, 'id' | 'tool_grants'>,
  wanted: WantedFields,
): Promise<void> {
  if (!wanted.tool_grants && !wanted.hosts) return;
  checkGrants(wanted.tool_grants ?? tool_grants, wanted.hosts ?? (await listAcknowledgedHosts(ctx.db, id)), find);
}

/** Stores a source as a new, inactive version. The default language is that of the active version. */
export async function storeVersion(ctx: Context, automation: AutomationRow, source: string, written?: Language) {
  const { id: automation_id, workspace_id, active_version_id } = automation;
  const version_id = ctx.newId();
  const language = written ?? (await findVersion(ctx.db, automation_id, active_version_id))?.language ?? 'typescript';
  const row = { id: version_id, workspace_id, automation_id, source, language };
  const by = { created_by_label: ctx.caller.label, created_at: ctx.now };
  return { version_id, version: await insertVersion(ctx.db, { ...row, ...by }) };
}

/** The id of an earlier version. Throws `not_found` for a version of another automation. */
export async function findEarlierVersionId(ctx: Context, { id }: AutomationRow, versionId: string): Promise<string> {
  if (!(await findVersion(ctx.db, id, versionId))) throw createNotFoundError('version');
  return versionId;
}

/**
 * Throws `conflict` for an outdated view: an agent may have changed the automation while a person was looking at it.
 */
export function checkMayChange({ state, updated_at }: AutomationRow, seen: string | undefined): void {
  if (state === 'killed') throw new AppError('conflict', 'This automation was deleted. Save it as a new one.');
  if (seen === undefined || updated_at.toISOString() === new Date(seen).toISOString()) return;
  const message = 'This automation changed after it was shown to you. Nothing was changed now. Read it again.';
  throw new AppError('conflict', message, { updated_at: updated_at.toISOString() });
}

/** An unchanged schedule keeps its next time. A new or restarted schedule starts now. */
function computeNextAfterChange({ now }: Context, before: AutomationRow, change: AutomationChange): Date | null {
  if (before.state === 'active' && !change.triggers) return before.next_run_at;
  return nextTime(change.triggers ?? before.triggers, now);
}

function throwAsConflict(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505')
    throw new AppError('conflict', 'You have another automation of this name.');
  throw error;
}
