// The approval of a draft within the call that drafted it, where the client can ask (MCP, since 2026-07-28).
import type { AfterCommitContext, Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Reply } from '#kernel/question';
import { findSecret, issueSecret, useSecret } from '#platform/one-time-secrets';
import { formatCanonicalJson } from '../canonical.ts';
import { formatDangerLine } from '../presenting/danger.ts';
import { formatDraftText } from '../presenting/draft-text.ts';
import { decideToDiscard, decideToSend } from '../deciding/decide.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraft, lockAsShown, lockDraft } from '../store/drafts.ts';

/** The longest text that clients show in one piece. A longer draft is opened in the console. */
const longestText = 8_000;
const purpose = 'draft_question';
/** How long after a draft's expiry a reply is answered with the expiry. */
const answeredForMs = 24 * 60 * 60 * 1000;

/** The draft that a reply is about, whether this call must send it, and whether a person opened it. */
export type DraftReply = { draftId: string; isOurs: boolean; isOpened: boolean };

const choices = [
  { value: 'approve', label: 'Approve: send it as shown' },
  { value: 'decline', label: 'Decline: nothing is sent' },
];

/**
 * Asks about a pending draft, if this caller's client can ask. A caller that may decide answers in the client. For
 * every other caller a person opens the draft in the console, because a client's reply does not prove that a person
 * replied.
 */
export async function askAbout(
  ctx: AfterCommitContext,
  draftId: string,
  input: object,
  publicUrl: string,
): Promise<void> {
  const { asking, caller } = ctx;
  if (!asking || asking.reply) return;
  const draft = await ctx.transact((inner) => findDraft(inner.db, draftId));
  const { isComplete, isCompletedAtConsole = false } = draft.preview;
  if (draft.status !== 'pending' || !(isComplete || isCompletedAtConsole)) return;
  const message = formatDraftText(draft);
  const mayDecide = caller.scopes.has('actions:confirm') && draft.policy?.effect === 'require_approval';
  const byChoice = mayDecide && isComplete && asking.choices && message.length <= longestText;
  if (!byChoice && !asking.url) return;
  const state = await ctx.transact(async ({ db, now }) => {
    if (!(await lockAsShown(db, draft))) return null; // it was edited or decided meanwhile
    const about = { purpose, prefix: 'dq' as const, subjectId: draft.id, workspaceId: caller.workspaceId };
    const expiresAt = new Date(draft.expires_at.getTime() + answeredForMs);
    // Bound to the call: a reply with another input is refused.
    return issueSecret(db, { ...about, boundTo: formatCanonicalJson(input), at: now, expiresAt });
  });
  if (!state) return;
  if (byChoice) asking.ask({ state, message, way: { choices } });
  else {
    const danger = formatDangerLine(draft);
    const short = `${draft.preview.title}\n${danger === null ? '' : `${danger}\n`}Open it to see all of it, and to approve or decline it.`;
    asking.ask({ state, message: short, way: { url: `${publicUrl}/inbox/${draftId}` } });
  }
}

/** Takes a reply. Throws `conflict` when its question is not open for this caller and this call. */
export async function takeReply(ctx: Context, deps: GateDeps, reply: Reply, input: object): Promise<DraftReply> {
  const asked = await findSecret(ctx.db, purpose, reply.state);
  if (!asked) throw createNotOpenError();
  const draft = await lockDraft(ctx.db, asked.subjectId); // locked before its question, in the same order as an edit does
  const presented = { secret: reply.state, boundTo: formatCanonicalJson(input), at: ctx.now };
  if (draft.drafted_by !== ctx.caller.id || !(await useSecret(ctx.db, purpose, presented))) throw createNotOpenError();
  const left = { draftId: draft.id, isOurs: false, isOpened: false };
  if (reply.action === 'decline' || (reply.action === 'accept' && reply.choice === 'decline')) {
    if (draft.status === 'pending') await decideToDiscard(ctx, draft.id);
    return left;
  }
  if (reply.action !== 'accept') return left;
  if (reply.choice !== 'approve') return { ...left, isOpened: true };
  if (!ctx.caller.scopes.has('actions:confirm')) throw createNotOpenError();
  return { ...left, isOurs: await decideToSend(ctx, deps, draft.id, { seen: draft.payload_hash }) };
}

function createNotOpenError(): AppError {
  const message =
    'This approval prompt is no longer open, or it belongs to another call. Nothing changed. Check list_actions before you retry.';
  return new AppError('conflict', message);
}
