// Drafting within a call: the work of its transaction, and the work after it, up to the answer.
import type { Action, TargetSnapshot } from '#kernel/action';
import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { mayRead } from '#modules/policy';
import { decideByPolicy, needsNoApproval } from '../deciding/decide.ts';
import { createEffectDraft } from '../drafting/draft.ts';
import { resolveEffect, type DraftRequest, type Effect } from '../drafting/resolve.ts';
import { isForGood, needsSnapshot, createMissingSnapshot, takeSnapshot } from '../drafting/target-snapshot.ts';
import type { GateDeps } from '../gate-deps.ts';
import { presentPreview } from '../presenting/draft.ts';
import { awaitOutcome, waitWhile } from '../sending/outcome.ts';
import { presentWaiting, type DraftAnswer } from './draft-answer.ts';
import { askAbout, takeReply, type DraftReply } from './question.ts';

/**
 * The answer of such an operation, as far as its transaction knows it. `next` is only for `finishDraft`: a caller that
 * shows or stores the answer earlier leaves it out.
 */
export type PendingDraftAnswer = DraftAnswer & { next?: NextStep };

/** The work that is left after the transaction. `isOurs`: this call decided the draft, so it sends it. */
type NextStep =
  | { step: 'look_up'; effect: Effect; mayLookUp: boolean }
  | { step: 'send'; draftId: string; isOurs: boolean }
  | { step: 'reply'; replied: DraftReply };

const noPhone =
  'No linked phone can be reached over Telegram: you have linked none, or its bot does not answer. The draft is in the inbox only.';
const looksUp =
  'The target is looked up first. Call again if you get no draft: a repeated request does not create a second one.';
/** How long the call waits for a person who opened the draft. */
const waitsForPersonMs = 20_000;
const unreadable = 'The caller that drafted it may not read there.';

/**
 * Checks a request. An action with a target is drafted by `finishDraft`, after the provider was asked about the target.
 * Any other action is drafted here, and approved where the policy allows it.
 */
export async function createDraftInCall(
  ctx: Context,
  deps: GateDeps,
  request: DraftRequest,
): Promise<PendingDraftAnswer> {
  const { action, connection } = request;
  const effect = resolveEffect(request, ctx.face);
  const suppressed = findSuppressedAnswer(ctx, action, effect.payload);
  if (suppressed) return suppressed;
  if (!needsSnapshot(action, effect.payload)) return createDraftNow(ctx, deps, effect, null);
  // The answer shows the look-up, so the caller must be allowed to read there.
  const mayLookUp =
    ctx.caller.scopes.has('integrations:fetch') && (await mayRead(ctx, action.source, connection.account));
  return { kind: 'draft', action: action.name, note: looksUp, next: { step: 'look_up', effect, mayLookUp } };
}

/** In a run that must not change anything outside, the draft is only shown, or refused. */
function findSuppressedAnswer(
  { caller: { run } }: Context,
  action: Action,
  payload: Record<string, unknown>,
): DraftAnswer | null {
  if (!run || run.mode === 'live') return null;
  if (run.mode === 'verify')
    throw new AppError(
      'forbidden',
      `${action.name} would send something, which a run in verify_mode may not. Nothing was drafted.`,
    );
  const preview = presentPreview(action.preview(payload));
  return { kind: 'noop', action: action.name, preview, payload, reason: 'This is a dry run: nothing was drafted.' };
}

/** Handles the reply to a question of an earlier call; null without a reply. */
export async function takeReplyTo(ctx: Context, deps: GateDeps, input: object): Promise<PendingDraftAnswer | null> {
  const reply = ctx.asking?.reply;
  if (!reply) return null;
  const replied = await takeReply(ctx, deps, reply, input);
  return { kind: 'draft', draft_id: replied.draftId, next: { step: 'reply', replied } };
}

/**
 * The rest of the call: looks the target up and drafts, sends an approved draft, asks about a pending one where the client can be
 * asked, and returns the answer.
 */
export async function finishDraft(
  ctx: AfterCommitContext,
  deps: GateDeps,
  drafted: PendingDraftAnswer,
  input: object,
): Promise<DraftAnswer> {
  const { next, ...made } =
    drafted.next?.step === 'look_up' ? await createDraftWithTarget(ctx, deps, drafted.next) : drafted;
  if (next?.step === 'send') {
    const { status, result, error } = await awaitOutcome(ctx, deps, next.draftId, next.isOurs);
    return { ...made, status, result, error };
  }
  const answer = next?.step === 'reply' ? await awaitReplied(ctx, deps, next.replied) : made;
  if (answer.kind === 'draft' && answer.draft_id && !answer.status)
    await askAbout(ctx, answer.draft_id, input, deps.publicUrl);
  return answer;
}

/** Looks the target up, with no transaction open, and drafts with the snapshot. */
async function createDraftWithTarget(
  ctx: AfterCommitContext,
  deps: GateDeps,
  { effect, mayLookUp }: NextStep & { step: 'look_up' },
): Promise<PendingDraftAnswer> {
  const { source, payload, connection } = effect;
  const action = deps.registry.get(source, effect.action, payload);
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const through = { id: ctx.newId(), workspace_id, person_id, connection_id: connection.id, source };
  const lookUp = { ...through, action, payload, account: connection.account };
  const target = mayLookUp
    ? await takeSnapshot(deps, lookUp).catch((error: unknown) => {
        if (!isForGood(error)) throw error;
        const message = `${action.name} cannot be drafted. ${error.message}`;
        throw new AppError('invalid_input', message, {}, { cause: error });
      })
    : createMissingSnapshot(unreadable);
  return ctx.transact((inner) => createDraftNow(inner, deps, effect, target));
}

async function createDraftNow(
  ctx: Context,
  deps: GateDeps,
  effect: Effect,
  target: TargetSnapshot | null,
): Promise<PendingDraftAnswer> {
  const draft = await createEffectDraft(ctx, deps, effect, target);
  if (!needsNoApproval(draft)) {
    const isMissed = effect.notify.includes('telegram') && !draft.notify_targets.includes('telegram');
    return { ...presentWaiting(draft, deps.publicUrl), ...(isMissed && { note: noPhone }) };
  }
  const { id: draftId, action } = draft;
  const isOurs = await decideByPolicy(ctx, deps, draftId);
  const next = { step: 'send' as const, draftId, isOurs };
  return { kind: 'auto_executed', draft_id: draftId, audit_id: draftId, action, next };
}

/** The outcome of a draft after a reply. If a person opened the draft, waits for them. */
async function awaitReplied(ctx: AfterCommitContext, deps: GateDeps, replied: DraftReply): Promise<DraftAnswer> {
  const draft = await waitWhile(ctx, replied.draftId, 'pending', replied.isOpened ? waitsForPersonMs : 0);
  if (draft.status === 'pending')
    return { ...presentWaiting(draft, deps.publicUrl), note: 'The draft still waits in the inbox for approval.' };
  const of = { kind: 'draft' as const, draft_id: draft.id, audit_id: draft.id, action: draft.action };
  if (draft.status === 'discarded')
    return { ...of, status: 'discarded', note: 'The draft was declined. Nothing was sent.' };
  if (draft.status === 'expired') return { ...of, status: 'expired', note: 'The draft expired. Nothing was sent.' };
  const { status, result, error } = await awaitOutcome(ctx, deps, draft.id, replied.isOurs);
  return { ...of, status, result, error };
}
