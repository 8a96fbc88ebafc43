// Drafting, step three: the draft's row, its row in the ledger and its event.
import type { Context } from '#kernel/context';
import { retainFiles } from '#modules/pages';
import { presentRuling } from '#modules/policy';
import { hashOfPart } from '../canonical.ts';
import { getLedgerActor } from '../ledger-actor.ts';
import { expireOverdue } from '../expire-overdue.ts';
import { draftCreated, draftEdited } from '../events.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraftOfSlot, insertDraft, joinBatch, lockEqualRequest, type DraftRow } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';
import type { PreviewedEffect } from './preview.ts';
import { replaceEqual } from './replace-equal.ts';
import type { TargetSnapshot } from '#kernel/action';

const livesMinutes = 60;

export type DraftStoreResult = { draft: DraftRow; isNew: boolean };

/**
 * Stores a draft. If the same caller has an equal pending draft, returns that one instead; for a restarted run, also a
 * decided one.
 */
export async function storeDraft(
  ctx: Context,
  { emitEvent }: Pick<GateDeps, 'emitEvent'>,
  { effect, target, policy, preview, payload_hash, reach }: PreviewedEffect,
): Promise<DraftStoreResult> {
  const { source, action, payload, connection, batchId, files = [], followsId = null } = effect;
  const { expiresInMinutes = livesMinutes } = effect;
  const { workspaceId, id: callerId } = ctx.caller;
  const { personId, brainId } = effect.owner ?? { ...ctx.caller, brainId: ctx.caller.homeBrainId };
  const run_slot = ctx.caller.run?.slot ?? null;
  const request = { drafted_by: callerId, connection_id: connection.id, source, action, payload };
  if (run_slot !== null && ctx.caller.run?.isRetry) {
    const earlier = await findDraftOfSlot(ctx.db, { drafted_by: callerId, run_slot, payload_hash });
    if (earlier) return { draft: earlier, isNew: false };
  }
  if (target) await lockEqualRequest(ctx.db, request);
  await expireOverdue({ emitEvent, newId: ctx.newId }, ctx.db, ctx.now, callerId);
  const equal = target && (await replaceEqual(ctx, request, { target, policy }));
  if (equal) return { draft: await assignToBatch(ctx, equal, batchId), isNew: false };
  const { row: draft, isNew } = await insertDraft(ctx.db, {
    ...request,
    id: ctx.newId(),
    workspace_id: workspaceId,
    brain_id: brainId,
    person_id: personId,
    account: connection.account,
    payload_hash,
    preview,
    target,
    ...reach,
    batch_id: batchId,
    follows_id: followsId,
    notify_targets: ['inbox'],
    ...getAuthor(ctx),
    run_slot,
    policy,
    created_at: ctx.now,
    expiresInMs: expiresInMinutes * 60_000,
  });
  if (!isNew) return { draft: await assignToBatch(ctx, draft, batchId), isNew };
  await retainFiles(ctx.db, { holderId: draft.id, workspaceId, files });
  const detail = {
    ...getLedgerActor(ctx),
    source,
    action,
    person_id: personId,
    connection_id: connection.id,
    account: connection.account,
    link: connection.link,
    payload_hash,
    preview_hash: hashOfPart(draft.preview),
    target_hash: hashOfPart(draft.target),
    policy: presentRuling(policy),
    ...(target && describeLookup(target)),
  };
  await appendToLedger(ctx.db, draft, 'drafted', detail, ctx.now);
  await ctx.emit(draftCreated({ draft_id: draft.id, source, action }, { personId }));
  return { draft, isNew };
}

/** What is stored about the drafting caller, so that later rules about it still apply. */
function getAuthor({ caller }: Context) {
  const starter_kind = caller.run?.starter ?? null;
  const own_rules = [...caller.ownRules];
  return { drafted_by_label: caller.label, drafted_by_kind: caller.kind, starter_kind, own_rules };
}

/** An equal pending draft moves to its latest batch. */
async function assignToBatch(ctx: Context, draft: DraftRow, batchId: string | null): Promise<DraftRow> {
  if (batchId === null || draft.batch_id === batchId || draft.status !== 'pending') return draft;
  await joinBatch(ctx.db, draft.id, batchId);
  await ctx.emit(draftEdited({ draft_id: draft.id }, { personId: draft.person_id }));
  return { ...draft, batch_id: batchId };
}

/** The look-up for the ledger, or why there is none. */
function describeLookup({ names, people, missing }: TargetSnapshot) {
  return missing === null ? { looked_up: { names, ...(people && { people }) } } : { not_looked_up: missing };
}
