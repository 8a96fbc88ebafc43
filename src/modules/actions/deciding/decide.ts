import { isAgent } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { isSameRule, presentRuling } from '#modules/policy';
import { lockAuthority, type Authority } from '../approvers/draft-access.ts';
import { getLedgerActor } from '../ledger-actor.ts';
import { hashOfPart } from '../canonical.ts';
import { computeEdit, createExpiredError, logEdit, createNotPendingError } from './edit.ts';
import { markIfOutdated, markDraftStale, readPresentRuling } from './mark-stale.ts';
import { checkMayDecide } from './may-decide.ts';
import { checkIsIntact, checkIsSeen } from './seen.ts';
import { finishSendingJob, type GateDeps } from '../gate-deps.ts';
import { lockDraft, type Change, type DraftRow, type LockedDraft } from '../store/drafts.ts';
import { insertAck, type AckDecision } from '../store/inbox.ts';
import { createCallScene, changeDraftState } from '../change-draft-state.ts';

type Edits = Record<string, unknown> | undefined;

/** The edits of a confirmation, and the hash of the content that the caller saw. */
type Confirmation = { edits?: Edits; seen?: string | undefined; isInBatch?: boolean };

/**
 * Approves a draft. Returns whether this call decided it: an earlier confirmation stays, and both calls get its
 * outcome. A draft that another rule would match now becomes stale. Throws `conflict` when the draft can no longer be
 * confirmed or differs from what the caller saw, and `approval_required` when a person must approve it.
 */
export async function decideToSend(
  ctx: Context,
  deps: GateDeps,
  draftId: string,
  { edits, seen, isInBatch = false }: Confirmation,
): Promise<boolean> {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  if (draft.status !== 'pending') return refuseDecided(draft, { edits, seen });
  if (draft.is_overdue) throw createExpiredError();
  const outdated = await markIfOutdated(ctx, deps.registry, draft);
  if (outdated !== null) return outdated;
  const currentRuling = await readPresentRuling(ctx, deps.registry, draft);
  if (draft.policy && !isSameRule(draft.policy, currentRuling)) return markDraftStale(ctx, draft, currentRuling);
  checkIsSeen(draft, seen);
  if (isInBatch && draft.preview.isCompletedAtConsole) throw toBeOpened();
  const hasEdits = edits !== undefined && Object.keys(edits).length > 0;
  const change = hasEdits ? await computeEdit(ctx, deps.registry, draft, edits) : {};
  await checkMayDecide(ctx, deps, { ...draft, ...change }, change.policy ?? currentRuling);
  await approve(ctx, deps, draft, { change, decision: { ...getLedgerActor(ctx), ...authority } });
  await acknowledge(ctx, draft, 'approved');
  return true;
}

function toBeOpened(): AppError {
  const message =
    "It contains values that an agent wrote, which only the draft's own page shows. Open it, read them, and approve it there.";
  return new AppError('conflict', message);
}

/** Approves a draft that the policy allows without approval. Returns whether this call decided it. */
export async function decideByPolicy(ctx: Context, deps: GateDeps, draftId: string): Promise<boolean> {
  const draft = await lockDraft(ctx.db, draftId);
  if (draft.status !== 'pending') return refuseDecided(draft, {});
  if (draft.policy?.effect !== 'allow') throw new Error('the policy does not allow this draft without approval');
  checkIsSeen(draft, undefined);
  const outdated = await markIfOutdated(ctx, deps.registry, draft);
  if (outdated !== null) return outdated;
  const currentRuling = await readPresentRuling(ctx, deps.registry, draft);
  if (!isSameRule(draft.policy, currentRuling)) return markDraftStale(ctx, draft, currentRuling);
  await approve(ctx, deps, draft, { change: {}, decision: { ...getLedgerActor(ctx), by: 'policy' } });
  return true;
}

/** Whether the policy allows a draft without approval. A draft that a person edited needs a person's decision. */
export function needsNoApproval({ policy, edited_at }: DraftRow): boolean {
  return policy?.effect === 'allow' && edited_at === null;
}

/** The end of a draft that was not sent: declined, or expired. */
type UnsentEnd = 'discarded' | 'expired';

/** Discards a draft: nothing will be sent. Discarding twice has the same effect as once. Returns how it ended. */
export async function decideToDiscard(ctx: Context, draftId: string): Promise<UnsentEnd> {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  checkMayDecline(ctx, draft);
  return discard(ctx, draft, authority);
}

/**
 * Throws `forbidden` for an agent that declines the draft of another: it decides about others' drafts only where it may
 * approve them.
 */
function checkMayDecline({ caller }: Context, { drafted_by }: DraftRow): void {
  const mayDecide = !isAgent(caller) || (caller.scopes.has('actions:confirm') && caller.run === undefined);
  if (mayDecide || drafted_by === caller.id) return;
  const message = 'An agent declines only its own drafts. Ask the person to decline this one in the inbox.';
  throw new AppError('forbidden', message, { drafted_by });
}

/** Discards a locked draft of any owner, because the brain where it was drafted is being deleted. */
export async function discardWithBrain(ctx: Context, draftId: string): Promise<void> {
  await discard(ctx, await lockDraft(ctx.db, draftId), null);
}

async function discard(ctx: Context, draft: LockedDraft, authority: Authority): Promise<UnsentEnd> {
  if (draft.status === 'discarded' || draft.status === 'expired') return draft.status;
  if (draft.status !== 'pending') {
    throw new AppError('conflict', `This draft cannot be discarded: it is ${draft.status}.`, {
      status: draft.status,
    });
  }
  if (draft.is_overdue) {
    await changeDraftState(createCallScene(ctx), draft, { to: 'expired' });
    return 'expired';
  }
  await changeDraftState(createCallScene(ctx), draft, {
    to: 'discarded',
    change: { decided_at: ctx.now, decided_by: ctx.caller.id, decided_by_label: ctx.caller.label },
    detail: { ...getLedgerActor(ctx), ...authority },
  });
  await acknowledge(ctx, draft, 'declined');
  return 'discarded';
}

type Decision = { change: Change; decision: Record<string, unknown> };

/** Moves a locked draft to being sent, with its ledger row and the job that reconciles it if this process dies. */
async function approve(ctx: Context, { jobs, times }: GateDeps, draft: DraftRow, decided: Decision): Promise<void> {
  const { change, decision } = decided;
  const preview = change.preview ?? draft.preview;
  await checkIsIntact(ctx, draft);
  if (!preview.isComplete && !preview.isCompletedAtConsole) {
    throw new AppError(
      'conflict',
      'This draft cannot be approved: its preview does not show everything that would be sent.',
    );
  }
  const payload_hash = change.payload_hash ?? draft.payload_hash;
  const policy = change.policy ?? draft.policy;
  const hashes = { payload_hash, preview_hash: hashOfPart(preview) };
  await logEdit(ctx, draft, change, decision);
  const detail = { ...decision, ...hashes, ...(policy && { policy: presentRuling(policy) }) };
  const decided_by_label = String(decision['by']);
  await changeDraftState(createCallScene(ctx), draft, {
    to: 'confirming',
    change: { ...change, decided_at: ctx.now, decided_by: ctx.caller.id, decided_by_label },
    detail,
    step: 'decided',
  });
  const { id: draftId, workspace_id: workspaceId } = draft;
  await jobs.enqueue(ctx.db, finishSendingJob, { workspaceId, draftId }, { inMs: times.leaseMs });
}

function refuseDecided(draft: DraftRow, { edits, seen }: Confirmation): false {
  if (['expired', 'discarded', 'stale'].includes(draft.status)) throw createNotPendingError(draft);
  if (edits && Object.keys(edits).length) {
    throw new AppError('conflict', 'This draft was confirmed before. The edits came too late and changed nothing.', {
      status: draft.status,
    });
  }
  if (seen !== undefined && !draft.payload_hash.startsWith(seen)) {
    throw new AppError(
      'conflict',
      'This draft was confirmed before, with different content than you saw. Your approval changed nothing. Check it with get_action.',
      { status: draft.status },
    );
  }
  return false;
}

/** A person who decided on their own screen knows the decision, so no session must report it. */
async function acknowledge(ctx: Context, { id, workspace_id }: DraftRow, decision: AckDecision): Promise<void> {
  if (!ctx.caller.isHumanSurface) return;
  const ack = { draft_id: id, person_id: ctx.caller.personId, workspace_id, decision, at: ctx.now };
  await insertAck(ctx.db, ack);
}
