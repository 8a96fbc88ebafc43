// The answer of an operation that drafts: the draft, or the outcome of a decision within the call.
import type { Action, TargetSnapshot } from '#kernel/action';
import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { decideByPolicy, goesByItself } from '../deciding/decide.ts';
import { draftEffect } from './draft.ts';
import { outcomeOf, outcomeStates, waitWhile } from '../sending/outcome.ts';
import { mayRead } from '../policy/check-read.ts';
import { presentPreview, previewOutput } from '../presenting/draft.ts';
import { askAbout, takeReply, type Replied } from './question.ts';
import type { GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';
import { resolveEffect, type DraftRequest, type Effect } from './resolve.ts';
import { needsSnapshot, isForGood, notLookedUp, takeSnapshot } from './target-snapshot.ts';

/** The output of every operation that drafts. */
export const draftAnswer = z.object({
  kind: z
    .enum(['draft', 'clarification', 'noop', 'auto_executed'])
    .describe('auto_executed: the policy allows it without approval, and it was sent.'),
  draft_id: z.uuid().optional(),
  action: z.string().optional(),
  preview: previewOutput.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  expires_at: z.iso.datetime().optional(),
  approval_url: uri().optional().describe('The page where a person approves or declines it.'),
  question: z.string().optional(),
  reason: z.string().optional(),
  status: z
    .enum([...outcomeStates, 'discarded', 'expired'])
    .optional()
    .describe('The outcome, if it was decided within this call.'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  audit_id: z.uuid().optional().describe('The draft. get_action shows its ledger.'),
  note: z.string().optional().describe('What could not be done as asked.'),
});

type Answer = z.input<typeof draftAnswer>;
/** The result of such an operation's transaction. `finishDraft` makes the answer of it. */
export type Drafted =
  | Answer
  | Unresolved
  | { kind: 'going'; draft: DraftRow; isOurs: boolean }
  | { kind: 'replied'; replied: Replied };

const noPhone =
  'No linked phone can be reached over Telegram: you have linked none, or its bot does not answer. The draft is in the inbox only.';

/** An effect whose target is looked up before it is drafted. `note` is for a caller that gets only this much. */
type Unresolved = { kind: 'unresolved'; note: string; effect: Effect; mayRead: boolean };

const note = 'The target is looked up first. Call again if you get no draft: an equal draft is not made twice.';
/** How long the call waits for a person who opened the draft. */
const waitsForPersonMs = 20_000;
const unreadable = 'The caller that drafted it may not read there.';

/** Drafts, and approves what the policy allows. Where the target is looked up first, `finishDraft` does the rest. */
export async function draftInCall(ctx: Context, deps: GateDeps, request: DraftRequest): Promise<Drafted> {
  const { action, connection } = request;
  const effect = resolveEffect(request, ctx.face);
  const suppressed = suppressedIn(ctx, action, effect.payload);
  if (suppressed) return suppressed;
  if (!needsSnapshot(action, effect.payload)) return draftNow(ctx, deps, effect, null);
  // The answer shows the look-up, so the caller must be allowed to read there.
  const mayLook =
    ctx.caller.scopes.has('integrations:fetch') && (await mayRead(ctx, action.source, connection.account));
  return { kind: 'unresolved', note, effect, mayRead: mayLook };
}

/** In a run that must change nothing outside, the draft is only shown, or refused. */
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

/** Looks the target up, with no transaction open, and drafts with what was found. */
async function draftResolved(ctx: AfterCommitContext, deps: GateDeps, { effect, mayRead: isRead }: Unresolved) {
  const { source, payload, connection } = effect;
  const action = deps.registry.get(source, effect.action);
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const through = { id: ctx.newId(), workspace_id, person_id, connection_id: connection.id, source };
  const looked = { ...through, action, payload, account: connection.account };
  const target = isRead
    ? await takeSnapshot(deps, looked).catch((error: unknown) => {
        if (!isForGood(error)) throw error;
        const message = `${action.name} cannot be drafted. ${error.message}`;
        throw new AppError('invalid_input', message, {}, { cause: error });
      })
    : notLookedUp(unreadable);
  return ctx.transact((inner) => draftNow(inner, deps, effect, target));
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

/** Handles the reply to a question of an earlier call; null without a reply. */
export async function takeReplyTo(ctx: Context, deps: GateDeps, input: object): Promise<Drafted | null> {
  const reply = ctx.asking?.reply;
  return reply ? { kind: 'replied', replied: await takeReply(ctx, deps, reply, input) } : null;
}

/** Sends an approved draft, asks about a pending one where the client can be asked, and returns the answer. */
export async function finishDraft(
  ctx: AfterCommitContext,
  deps: GateDeps,
  drafted: Drafted,
  input: object,
): Promise<Answer> {
  const now = drafted.kind === 'unresolved' ? await draftResolved(ctx, deps, drafted) : drafted;
  if (now.kind === 'going') {
    const { draft, isOurs } = now;
    const { status, result, error } = await outcomeOf(ctx, deps, draft.id, isOurs);
    const kind = 'auto_executed' as const;
    return { kind, draft_id: draft.id, audit_id: draft.id, action: draft.action, status, result, error };
  }
  const answer = now.kind === 'replied' ? await afterReply(ctx, deps, now.replied) : now;
  if (answer.kind === 'draft' && answer.draft_id && !answer.status)
    await askAbout(ctx, answer.draft_id, input, deps.publicUrl);
  return answer;
}

/** The outcome of a draft after a reply. A person who opened it is waited for. */
async function afterReply(ctx: AfterCommitContext, deps: GateDeps, replied: Replied): Promise<Answer> {
  const draft = await waitWhile(ctx, replied.draftId, 'pending', replied.isOpened ? waitsForPersonMs : 0);
  if (draft.status === 'pending')
    return { ...answerOf(draft, deps.publicUrl), note: 'The draft still waits in the inbox for approval.' };
  const of = { kind: 'draft' as const, draft_id: draft.id, audit_id: draft.id, action: draft.action };
  if (draft.status === 'discarded')
    return { ...of, status: 'discarded', note: 'The draft was declined. Nothing was sent.' };
  if (draft.status === 'expired') return { ...of, status: 'expired', note: 'The draft expired. Nothing was sent.' };
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
