// What an operation that drafts answers, from the draft to what became of it within the call.
import type { Action } from '#kernel/action';
import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Question } from '#kernel/question';
import { z } from 'zod';
import { decideByPolicy, goesByItself } from '../deciding/decide.ts';
import { draftEffect } from './draft.ts';
import { outcomeOf, outcomeStates, waitWhile } from '../sending/outcome.ts';
import { mayRead } from '../policy/check-read.ts';
import { presentPreview, previewOutput } from '../present.ts';
import { questionOf, takeReply, type Replied } from './question.ts';
import type { GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';
import { resolveEffect, type DraftRequest, type Effect } from './resolve.ts';
import { isAsked, isForGood, notLookedUp, takeSnapshot, type TargetSnapshot } from './target-snapshot.ts';

/** The output of every operation that drafts. */
export const draftAnswer = z.object({
  kind: z
    .enum(['draft', 'clarification', 'noop', 'auto_executed'])
    .describe('auto_executed: the policy lets it go without asking, and it was sent.'),
  draft_id: z.uuid().optional(),
  action: z.string().optional(),
  preview: previewOutput.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  expires_at: z.iso.datetime().optional(),
  approval_url: z.url().optional().describe('Where the person sees and decides it.'),
  question: z.string().optional(),
  reason: z.string().optional(),
  status: z
    .enum([...outcomeStates, 'discarded', 'expired'])
    .optional()
    .describe('What became of what was decided within this call.'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  audit_id: z.uuid().optional().describe('The draft whose ledger tells how it was decided and sent: get_action.'),
  note: z.string().optional().describe('What of the wish could not be done.'),
});

type Answer = z.input<typeof draftAnswer>;
/**
 * What the transaction of such an operation comes to: an answer, a draft that the policy lets go by itself, a reply, or an effect that
 * is drafted once its provider was asked about its target.
 */
export type Drafted =
  | Answer
  | Unresolved
  | { kind: 'going'; draft: DraftRow; isOurs: boolean }
  | { kind: 'replied'; replied: Replied };

const noPhone =
  'No phone of yours can be reached over Telegram: none is linked, or its bot does not answer. So this one is in the inbox alone.';

/** `note`: for whoever keeps what the transaction came to, since nothing was drafted in it. */
type Unresolved = { kind: 'unresolved'; note: string; effect: Effect; mayRead: boolean };

const note = 'It is looked up first. Call it again if nothing came of it: an equal draft is not doubled.';
/** So long a person who went to look at a draft is waited for. */
const waitsForPersonMs = 20_000;
const unreadable = 'Whoever drafted it may not read there.';

/** Drafts, and has what the policy allows go; where the provider is to be asked before, that is left to `finishDraft`. */
export async function draftInCall(ctx: Context, deps: GateDeps, request: DraftRequest): Promise<Drafted> {
  const { action, connection } = request;
  const effect = resolveEffect(request);
  const suppressed = suppressedIn(ctx, action, effect.payload);
  if (suppressed) return suppressed;
  if (!isAsked(action, effect.payload)) return draftNow(ctx, deps, effect, null);
  return { kind: 'unresolved', note, effect, mayRead: await mayLook(ctx, action.source, connection.account) };
}

/** In a run that is to change nothing outside, what would be drafted is shown, or refused. */
function suppressedIn({ caller: { run } }: Context, action: Action, payload: Record<string, unknown>): Answer | null {
  if (!run || run.mode === 'live') return null;
  if (run.mode === 'verify')
    throw new AppError(
      'forbidden',
      `${action.name} would leave the server, and a run in verify_mode may not. Nothing was drafted.`,
    );
  const preview = presentPreview(action.preview(payload));
  return { kind: 'noop', action: action.name, preview, payload, reason: 'This is a dry run: nothing was drafted.' };
}

/** The answer to who drafts tells what was found out there, which is reading. */
async function mayLook(ctx: Context, source: string, account: string): Promise<boolean> {
  return ctx.caller.scopes.has('integrations:fetch') && mayRead(ctx, source, account);
}

/** Asks the provider about the target, with no transaction open, and drafts with what it says. */
async function draftResolved(ctx: AfterCommitContext, deps: GateDeps, { effect, mayRead: isRead }: Unresolved) {
  const { source, payload, connection } = effect;
  const action = deps.registry.get(source, effect.action);
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const through = { id: ctx.newId(), workspace_id, person_id, connection_id: connection.id, source };
  const target = isRead
    ? await takeSnapshot(deps, { ...through, action, payload, account: connection.account }).catch((error: unknown) =>
        cannotBe(action, error),
      )
    : notLookedUp(unreadable);
  return ctx.transact((inner) => draftNow(inner, deps, effect, target));
}

/** What could but fail is not put before anybody. */
function cannotBe({ name }: Action, error: unknown): never {
  if (!isForGood(error)) throw error;
  throw new AppError('invalid_input', `${name} cannot be drafted. ${error.message}`, {}, { cause: error });
}

type DraftedNow = Exclude<Drafted, Unresolved>;

async function draftNow(
  ctx: Context,
  deps: GateDeps,
  effect: Effect,
  target: TargetSnapshot | null,
): Promise<DraftedNow> {
  const draft = await draftEffect(ctx, deps, effect, target);
  if (!goesByItself(draft)) {
    const isMissed = effect.notify.includes('telegram') && !draft.notify_targets.includes('telegram');
    return { ...answerOf(draft, deps.publicUrl), ...(isMissed && { note: noPhone }) };
  }
  return { kind: 'going', draft, isOurs: await decideByPolicy(ctx, deps, draft.id) };
}

/** Takes what was replied to a question of an earlier call; null when this call brings no reply. */
export async function takeReplyTo(ctx: Context, deps: GateDeps, input: object): Promise<Drafted | null> {
  const reply = ctx.asking?.reply;
  return reply ? { kind: 'replied', replied: await takeReply(ctx, deps, reply, input) } : null;
}

/** Sends what is to go, asks about what waits where the client can be asked, and answers. */
export async function finishDraft(
  ctx: AfterCommitContext,
  deps: GateDeps,
  drafted: Drafted,
  input: object,
): Promise<Answer | Question> {
  const now = drafted.kind === 'unresolved' ? await draftResolved(ctx, deps, drafted) : drafted;
  const answer = await sent(ctx, deps, now);
  if (answer.kind !== 'draft' || !answer.draft_id || answer.status) return answer;
  return (await questionOf(ctx, answer.draft_id, input, deps.publicUrl)) ?? answer;
}

/** Sends what the policy lets go, or a reply approved; every other answer is one already. */
async function sent(ctx: AfterCommitContext, deps: GateDeps, drafted: DraftedNow): Promise<Answer> {
  if (drafted.kind === 'replied') return afterReply(ctx, deps, drafted.replied);
  if (drafted.kind !== 'going') return drafted;
  const { draft, isOurs } = drafted;
  const { status, result, error } = await outcomeOf(ctx, deps, draft.id, isOurs);
  const kind = 'auto_executed' as const;
  return { kind, draft_id: draft.id, audit_id: draft.id, action: draft.action, status, result, error };
}

/** What became of a draft that was replied about; of one that a person opened, what they decided meanwhile. */
async function afterReply(ctx: AfterCommitContext, deps: GateDeps, replied: Replied): Promise<Answer> {
  const draft = await waitWhile(ctx, replied.draftId, 'pending', replied.isOpened ? waitsForPersonMs : 0);
  if (draft.status === 'pending')
    return { ...answerOf(draft, deps.publicUrl), note: 'Nobody has decided yet. It waits in the inbox.' };
  const of = { kind: 'draft' as const, draft_id: draft.id, audit_id: draft.id, action: draft.action };
  if (draft.status === 'discarded') return { ...of, status: 'discarded', note: 'It was declined. Nothing was sent.' };
  if (draft.status === 'expired')
    return { ...of, status: 'expired', note: 'Nobody decided in time. Nothing was sent.' };
  const { status, result, error } = await outcomeOf(ctx, deps, draft.id, replied.isOurs);
  return { ...of, status, result, error };
}

function answerOf(draft: DraftRow, publicUrl: string) {
  return {
    kind: 'draft' as const,
    draft_id: draft.id,
    action: draft.action,
    preview: presentPreview(draft.preview),
    payload: draft.payload,
    expires_at: draft.expires_at.toISOString(),
    approval_url: `${publicUrl}/inbox/${draft.id}`,
  };
}
