import type { Outcome, TargetSnapshot } from '#kernel/action';
import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { listRetainedFiles, type RetainedFile } from '#modules/pages';
import { readDatabaseTime } from '#platform/database';
import { createApprovalRequiredError, toAnswer } from './approval-required.ts';
import { lockAuthority } from '../approvers/draft-access.ts';
import { getLedgerActor } from '../ledger-actor.ts';
import { createEffectDraft } from '../drafting/draft.ts';
import { resolveEffect } from '../drafting/resolve.ts';
import { computeLastArrival, type GateDeps } from '../gate-deps.ts';
import { recordOutcome } from '../sending/store-outcome.ts';
import { lockDraft, type DraftRow } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';
import { isForGood, takeSnapshot } from '../drafting/target-snapshot.ts';

/** A person's possible answers about a draft when the provider has none. */
export const answers = ['it_happened', 'it_did_not', 'send_again'] as const;
export type PersonsAnswer = (typeof answers)[number];

/** A draft that was answered, and the new draft that sends it again. */
export type AnsweredDraft = { draft: DraftRow; again: DraftRow | null };

/**
 * Stores a person's answer about the outcome of a draft. Throws `conflict` unless the outcome is unknown, or while the
 * request may still arrive, and `approval_required` without a person. A later answer of the provider takes precedence.
 */
export async function takeAnswer(
  ctx: Context,
  deps: GateDeps,
  draftId: string,
  answer: PersonsAnswer,
  target: TargetSnapshot | null = null,
): Promise<AnsweredDraft> {
  const { draft, authority } = await lockAnswerable(ctx, deps, draftId);
  await appendToLedger(ctx.db, draft, 'answered', { answer, ...getLedgerActor(ctx), ...authority }, ctx.now);
  const files = await listRetainedFiles(ctx.db, draft.id); // released with the outcome, and used by the next draft
  await recordOutcome(deps, ctx.db, draft, toOutcome(answer, ctx.caller.label));
  return { draft, again: answer === 'send_again' ? await repeatDraft(ctx, deps, draft, { files, target }) : null };
}

/** Like `takeAnswer` for sending again, but asks the new draft's provider about the target first. */
export async function sendAgain(ctx: AfterCommitContext, deps: GateDeps, draft: DraftRow): Promise<AnsweredDraft> {
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  const target = await takeSnapshot(deps, { ...draft, action }).catch((error: unknown) => {
    if (!isForGood(error)) throw error;
    throw new AppError('conflict', `It cannot be sent again. ${error.message} Say whether it happened.`);
  });
  return ctx.transact((inner) => takeAnswer(inner, deps, draft.id, 'send_again', target));
}

/** The locked draft that a person may answer for, and their delegation. */
export async function lockAnswerable(ctx: Context, deps: GateDeps, draftId: string) {
  const draft = await lockDraft(ctx.db, draftId);
  const authority = await lockAuthority(ctx, draft);
  if (!ctx.caller.isHumanSurface) {
    throw await createApprovalRequiredError(ctx, deps, [draftId], toAnswer);
  }
  if (draft.status !== 'ambiguous') throw createOutcomeKnownError(draft);
  const arrivesUntil = computeLastArrival(deps, draft);
  if (arrivesUntil > (await readDatabaseTime(ctx.db))) throw createTooEarlyError(arrivesUntil);
  return { draft, authority };
}

function toOutcome(answer: PersonsAnswer, by: string): Outcome {
  if (answer === 'it_happened') return { state: 'confirmed', result: { said_by: by } };
  if (answer === 'it_did_not') return { state: 'failed', error: { message: `${by} checked, and it did not happen.` } };
  const message = `It is not known whether it happened. ${by} chose to send it again.`;
  return { state: 'failed', error: { message, is_replaced: true } };
}

function repeatDraft(
  ctx: Context,
  deps: GateDeps,
  draft: DraftRow,
  { files, target }: { files: readonly RetainedFile[]; target: TargetSnapshot | null },
): Promise<DraftRow> {
  const { source, action, payload, connection_id: id, account } = draft;
  const notify = draft.notify_targets.filter((each) => each !== 'mail'); // this follows from the person's choices
  const connection = { id, account };
  const request = {
    action: deps.registry.get(source, action, payload),
    payload,
    connection,
    notify,
    files,
    batchId: null,
  };
  const owner = { personId: draft.person_id, brainId: draft.brain_id };
  return createEffectDraft(ctx, deps, resolveEffect({ ...request, owner, followsId: draft.id }, ctx.face), target);
}

function createOutcomeKnownError({ status }: DraftRow): AppError {
  return new AppError('conflict', `The outcome of this draft is known: it is ${status}.`, { status });
}

function createTooEarlyError(until: Date): AppError {
  const at = until.toISOString();
  return new AppError('conflict', `The request may still arrive until ${at}. Check again then.`, { retry_at: at });
}
