import type { Outcome } from '#kernel/action';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { approvalRequired } from './approval.ts';
import { draftAction } from './draft.ts';
import type { Sending } from './sending.ts';
import { recordOutcome } from './settle.ts';
import { lockDraft, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** What a person can say of a draft when the provider cannot. */
export const answers = ['it_happened', 'it_did_not', 'send_again'] as const;
export type PersonsAnswer = (typeof answers)[number];

/** A draft that was answered, and the one that is made to send it again. */
export type Answered = { draft: DraftRow; again: DraftRow | null };

/**
 * Takes a person's word for what became of a draft. Throws `conflict` unless nobody knows, or while the request may still
 * arrive, and `approval_required` when no person is there. Should the provider know better later, that counts.
 */
export async function takeAnswer(
  ctx: Context,
  sending: Sending & { publicUrl: string },
  draftId: string,
  answer: PersonsAnswer,
): Promise<Answered> {
  const draft = await lockDraft(ctx.db, draftId);
  if (!ctx.caller.isHumanSurface) {
    const why = 'What became of it, a person has to say who looked.';
    throw await approvalRequired(ctx, sending.registry, [draftId], sending.publicUrl, why);
  }
  if (draft.status !== 'ambiguous') throw known(draft);
  const arrivesUntil = lastArrival(sending, draft);
  if (arrivesUntil > ctx.now) throw tooEarly(arrivesUntil);
  const { label, id } = ctx.caller;
  await appendToLedger(ctx.db, draft, 'answered', { answer, by: label, caller_id: id }, ctx.now);
  await recordOutcome(sending, ctx.db, draft, outcomeOf(answer, label));
  return { draft, again: answer === 'send_again' ? await draftAgain(ctx, sending, draft) : null };
}

function outcomeOf(answer: PersonsAnswer, by: string): Outcome {
  if (answer === 'it_happened') return { state: 'confirmed', result: { said_by: by } };
  const message = {
    it_did_not: `${by} looked, and it did not happen.`,
    send_again: `Nobody knows whether it happened. ${by} chose to send it again.`,
  }[answer];
  return { state: 'failed', error: { message } };
}

/** After this a request that was sent can no longer arrive. */
function lastArrival({ times }: Sending, { send_started_at: startedAt }: DraftRow): Date {
  return new Date((startedAt?.getTime() ?? 0) + times.timeoutMs + times.settleAfterMs);
}

function draftAgain(ctx: Context, { registry }: Sending, draft: DraftRow): Promise<DraftRow> {
  const { source, action, payload, connection_id: id, account, notify_targets: notify } = draft;
  const connection = { id, account };
  return draftAction(ctx, {
    action: registry.get(source, action),
    payload,
    connection,
    notify,
    batchId: null,
    followsId: draft.id,
  });
}

function known({ status }: DraftRow): AppError {
  return new AppError('conflict', `What became of this draft is known: it is ${status}.`, { status });
}

function tooEarly(until: Date): AppError {
  const at = until.toISOString();
  return new AppError('conflict', `It may still arrive until ${at}. Look again then.`, { retry_at: at });
}
