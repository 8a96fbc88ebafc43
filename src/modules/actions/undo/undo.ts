import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { askPolicy, buildDraftSubject, createBlockedError, judgeByOwnRules } from '#modules/policy';
import { createApprovalRequiredError, toUndo } from '../deciding/approval-required.ts';
import { lockAuthority } from '../approvers/draft-access.ts';
import { getLedgerActor } from '../ledger-actor.ts';
import { reach, describeError, type GateDeps } from '../gate-deps.ts';
import { findDraft, lockDraft, type DraftRow } from '../store/drafts.ts';
import { appendToLedger, findLastStep } from '../store/ledger.ts';
import { readDatabaseTime } from '#platform/database';
import { createWorkScene, changeDraftState } from '../change-draft-state.ts';
import { findUndoDeadline } from '../undoable.ts';

/** The job that ends an undo whose process died. */
export const finishUndoJob = 'settle-undo';
const undoSteps = ['undoing', 'undone', 'undo_failed'] as const;
/** It is tried for this long, at growing intervals. Then the outcome is unknown, and a person may start it again. */
const triesForMs = 24 * 60 * 60 * 1000;

/**
 * Decides to undo a draft's effect. Returns the draft; an undone one is returned unchanged. Throws `conflict` when it
 * cannot be undone, `forbidden` when the policy now refuses the action, and `approval_required` when it needs a person
 * who is not there.
 */
export async function decideToUndo(ctx: Context, deps: GateDeps, draftId: string): Promise<DraftRow> {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  if (draft.status === 'undone') return draft;
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  const until = findUndoDeadline(draft, action);
  if (!until) throw new AppError('conflict', `This draft is ${draft.status}, so there is nothing to undo.`);
  // An undo that began in time may be tried again: its outcome may be unknown.
  const isBegun = (await findLastStep(ctx.db, draftId, ['undoing'])) !== undefined;
  const now = await readDatabaseTime(ctx.db);
  if (now.getTime() >= until.getTime() + (isBegun ? triesForMs : 0)) throw createTooLateError(until);
  const subject = await buildDraftSubject(ctx.db, action, draft);
  const rulings = [await askPolicy(ctx.db, subject), judgeByOwnRules(ctx.caller.ownRules, subject)];
  for (const ruling of rulings) if (ruling?.effect === 'block') throw createBlockedError(ruling);
  const needsPerson = [draft.policy, ...rulings].some((ruling) => ruling?.effect === 'require_human');
  if (needsPerson && !ctx.caller.isHumanSurface) {
    const why = "It needed a person's approval, so undoing it needs one too.";
    throw await createApprovalRequiredError(ctx, deps, [draftId], { ...toUndo, why });
  }
  await appendToLedger(ctx.db, draft, 'undoing', { ...getLedgerActor(ctx), ...authority }, ctx.now);
  const job = { workspaceId: draft.workspace_id, draftId };
  await deps.jobs.enqueue(ctx.db, finishUndoJob, job, { inMs: deps.times.leaseMs });
  return draft;
}

/** Undoes it at the provider, where undoing twice has the same effect as once, and records the outcome. */
export async function undo(ctx: AfterCommitContext, deps: GateDeps, draft: DraftRow): Promise<void> {
  if (draft.status === 'undone') return;
  try {
    await takeBack(deps, draft);
  } catch (error) {
    const described = describeError(deps, draft, error);
    await ctx.transact(async (inner) => {
      await lockDraft(inner.db, draft.id); // rows of one draft are written one after another
      await appendToLedger(inner.db, draft, 'undo_failed', described, deps.now());
    });
    throw new AppError(
      'upstream_failed',
      `The undo failed, or its outcome is unknown. ${described.message}`,
      described,
    );
  }
  await deps.transactions.run(draft.workspace_id, 'write', (db) => recordUndone(deps, db, draft.id));
}

/** The job that ends an undo whose process died. If the provider can show that it is done, it is not repeated. */
export async function finishUndo(
  deps: GateDeps,
  { workspaceId, draftId }: { workspaceId: string; draftId: string },
): Promise<void> {
  const { draft, last } = await deps.transactions.run(workspaceId, 'read', async (db) => ({
    draft: await findDraft(db, draftId),
    last: await findLastStep(db, draftId, undoSteps),
  }));
  if (draft.status !== 'confirmed' || last?.step !== 'undoing') return;
  try {
    if (!(await isTakenBack(deps, draft))) await takeBack(deps, draft);
    await deps.transactions.run(workspaceId, 'write', (db) => recordUndone(deps, db, draftId));
  } catch (error) {
    await tryUndoAgain(deps, draft, { begunAt: last.at, described: describeError(deps, draft, error) });
  }
}

async function tryUndoAgain(
  deps: GateDeps,
  { id: draftId, workspace_id: workspaceId }: DraftRow,
  { begunAt, described }: { begunAt: Date; described: Record<string, unknown> },
): Promise<void> {
  const now = deps.now();
  const since = now.getTime() - begunAt.getTime();
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    const lockedDraft = await lockDraft(db, draftId);
    if (lockedDraft.status !== 'confirmed') return;
    if (since > triesForMs) return appendToLedger(db, lockedDraft, 'undo_failed', described, now);
    const inMs = Math.max(deps.times.settleAfterMs, since / 2);
    await deps.jobs.enqueue(db, finishUndoJob, { workspaceId, draftId }, { inMs });
  });
}

/**
 * Whether the provider proves the undo: the id no longer exists, or the former state is back. A lookup by marker or
 * by fingerprint proves nothing, because somebody may have changed the item.
 */
async function isTakenBack(deps: GateDeps, draft: DraftRow): Promise<boolean> {
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  if (action.handle !== 'chosen_id' && action.handle !== 'state') return false;
  const { state } = await action.lookup(reach(deps, draft), draft.payload, getHandle(draft));
  return state === 'failed';
}

async function takeBack(deps: GateDeps, draft: DraftRow): Promise<void> {
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  const done = { handle: getHandle(draft), result: draft.result ?? {} };
  await action.undo?.run(reach(deps, draft), draft.payload, done);
}

function getHandle({ handle }: DraftRow): Record<string, unknown> {
  if (!handle) throw new Error('a sent draft has a handle');
  return handle;
}

async function recordUndone(deps: GateDeps, db: Context['db'], draftId: string): Promise<void> {
  const lockedDraft = await lockDraft(db, draftId);
  if (lockedDraft.status === 'undone') return; // somebody else undid it at the same time
  await changeDraftState(createWorkScene(deps, db, lockedDraft.workspace_id), lockedDraft, { to: 'undone' });
}

function createTooLateError(until: Date): AppError {
  const at = until.toISOString();
  return new AppError('conflict', `It could be undone until ${at}. Undo it at the service itself.`, { until: at });
}
