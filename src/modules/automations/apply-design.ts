// Gives an automation the design of a later version of its recipe.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { isDeepStrictEqual } from 'node:util';
import { applyChange, checkMayChange, checkWanted, storeVersion } from './changes/apply-change.ts';
import { wasEverActive } from './changes/activation.ts';
import { buildPresentDesign, compareDesigns, type AutomationDesign } from './design.ts';
import { checkModel } from './models.ts';
import type { SaveDeps } from './save-automation.ts';
import { lockAutomation } from './store/automations.ts';
import { decideChange, findWaitingChange, insertChange } from './store/changes.ts';
import { listFixtures } from './store/fixtures.ts';
import type { AutomationRow } from './store/tables.ts';

export type DesignRequest = {
  design: AutomationDesign;
  /** Whether a person saw the difference on a human surface, and wants it. */
  isSeen: boolean;
  /** Pending changes of earlier upgrades: the design contains them, so they wait no longer. */
  changeIds?: readonly string[];
};

/**
 * Changes an automation that was never active, or that its person upgrades after seeing the difference. Any other change
 * waits for the person. Returns the id of the change that waits; null: none does.
 */
export async function applyAutomationDesign(
  ctx: Context,
  automationId: string,
  { design, isSeen, changeIds = [] }: DesignRequest,
  { find, llm }: SaveDeps,
): Promise<string | null> {
  const automation = await lockAutomation(ctx.db, automationId);
  checkMayChange(automation, undefined);
  const before = await buildPresentDesign(ctx.db, automation);
  const fields = compareDesigns(before, design);
  const isSameCode = isDeepStrictEqual(before.code, design.code);
  const waiting = await findWaitingChange(ctx.db, automationId);
  const isOwn = waiting !== undefined && changeIds.includes(waiting.id);
  if (waiting && isOwn) await endChange(ctx, waiting.id);
  if (!Object.keys(fields).length && isSameCode) return null;
  if (waiting && !isOwn) throw createWaitsError(automation, waiting.id);
  checkModel(llm, fields.model);
  const { source, language } = design.code;
  const versionId = isSameCode ? null : (await storeVersion(ctx, automation, source, language)).version_id;
  if (await mayChangeNow(ctx, automation, isSeen)) {
    await applyChange(ctx, find, automation, { fields, versionId });
    return null;
  }
  await checkWanted(ctx, find, automation, fields);
  const change = { id: ctx.newId(), workspace_id: automation.workspace_id, automation_id: automationId };
  const by = { created_by_label: ctx.caller.label, created_at: ctx.now };
  await insertChange(ctx.db, { ...change, version_id: versionId, fields, ...by });
  return change.id;
}

/** An automation acts in the name of its person. Fixtures have to pass first where it is active. */
async function mayChangeNow({ caller, db }: Context, automation: AutomationRow, isSeen: boolean): Promise<boolean> {
  if (automation.person_id !== caller.personId) return false;
  if (!wasEverActive(automation)) return true;
  if (!isSeen || !caller.scopes.has('automations:activate')) return false;
  return automation.state !== 'active' || (await listFixtures(db, automation.id)).length === 0;
}

/** The design contains what waited since an earlier upgrade. */
async function endChange({ db, caller, now }: Context, changeId: string): Promise<void> {
  await decideChange(db, changeId, { status: 'replaced', decided_by_label: caller.label, decided_at: now });
}

function createWaitsError({ id, name }: AutomationRow, changeId: string): AppError {
  const message = `A change of ${name} waits for a person. Accept or decline it first.`;
  return new AppError('conflict', message, { automation_id: id, change_id: changeId });
}
