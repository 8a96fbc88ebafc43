// The approval of a draft within the call that drafted it, where the client can ask (MCP, since 2026-07-28).
import type { Context, AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { Question, type Reply } from '#kernel/question';
import { findSecret, issueSecret, useSecret } from '#platform/one-time-secrets';
import { canonicalJson } from '../canonical.ts';
import { contentOf } from '../draft-text.ts';
import { decideToDiscard, decideToSend } from '../deciding/decide.ts';
import type { GateDeps } from '../gate-deps.ts';
import { findDraft, holdAsShown, lockDraft, type DraftRow } from '../store/drafts.ts';

/** What clients show in one piece; what is longer is looked at on the console. */
const longestText = 8_000;
const purpose = 'draft_question';
/** So long after a draft expired, a reply is still told that it has. */
const tellsForMs = 24 * 60 * 60 * 1000;

/** What a reply made of a draft: whether it is now this call's to send, and whether a person went to look at it. */
export type Replied = { draftId: string; isOurs: boolean; isOpened: boolean };

/**
 * The question of a draft that waits, as far as this caller's client can be asked. Who may decide answers themselves; for
 * everybody else a person opens the draft on the console, since what a client replies proves no person.
 */
export async function questionOf(
  ctx: AfterCommitContext,
  draftId: string,
  input: object,
  publicUrl: string,
): Promise<Question | null> {
  const { asking, caller } = ctx;
  if (!asking || asking.reply) return null;
  const draft = await ctx.transact((inner) => findDraft(inner.db, draftId));
  if (draft.status !== 'pending' || !draft.preview.isComplete) return null;
  const message = messageOf(draft);
  const mayDecide = caller.scopes.has('actions:confirm') && draft.policy?.effect === 'require_approval';
  const byChoice = mayDecide && asking.choices && message.length <= longestText;
  if (!byChoice && !asking.url) return null;
  const state = await ctx.transact((inner) => openQuestion(inner, draft, input));
  if (!state) return null; // somebody edited or decided it meanwhile
  return new Question({
    state,
    message: byChoice ? message : `${draft.preview.title}\nOpen it to see all of it, and to approve or decline it.`,
    way: byChoice ? { choices } : { url: `${publicUrl}/inbox/${draftId}` },
  });
}

const choices = [
  { value: 'approve', label: 'Approve: it is carried out as shown' },
  { value: 'decline', label: 'Decline: nothing is sent' },
];

/** Does what was replied. Throws `conflict` when the reply belongs to no question that is open for this caller and this call. */
export async function takeReply(ctx: Context, deps: GateDeps, reply: Reply, input: object): Promise<Replied> {
  const asked = await findSecret(ctx.db, purpose, reply.state);
  if (!asked) throw notOpen();
  const draft = await lockDraft(ctx.db, asked.subjectId); // before its question, as whoever edits it
  const presented = { secret: reply.state, boundTo: canonicalJson(input), at: ctx.now };
  if (draft.drafted_by !== ctx.caller.id || !(await useSecret(ctx.db, purpose, presented))) throw notOpen();
  const left = { draftId: draft.id, isOurs: false, isOpened: false };
  if (reply.action === 'decline' || (reply.action === 'accept' && reply.choice === 'decline')) {
    if (draft.status === 'pending') await decideToDiscard(ctx, draft.id);
    return left;
  }
  if (reply.action !== 'accept') return left;
  if (reply.choice !== 'approve') return { ...left, isOpened: true };
  if (!ctx.caller.scopes.has('actions:confirm')) throw notOpen();
  return { ...left, isOurs: await decideToSend(ctx, deps, draft.id, { seen: draft.payload_hash }) };
}

/** All of a draft, as text. What others wrote stands behind `> `. */
function messageOf(draft: DraftRow): string {
  const lines = contentOf(draft).map(({ kind, text: words }) =>
    kind === 'quote' ? words.replaceAll(/^/gm, '> ') : `\n${words}`,
  );
  return [...lines, `\nThrough ${draft.account}.`].join('\n');
}

/** Opens a question about a draft in the place of any before it. It is bound to the call: other arguments do not go with it. */
async function openQuestion({ db, now, caller }: Context, draft: DraftRow, input: object): Promise<string | null> {
  if (!(await holdAsShown(db, draft))) return null;
  const about = { purpose, prefix: 'dq', subjectId: draft.id, workspaceId: caller.workspaceId };
  const expiresAt = new Date(draft.expires_at.getTime() + tellsForMs);
  return issueSecret(db, { ...about, boundTo: canonicalJson(input), at: now, expiresAt });
}

function notOpen(): AppError {
  const message =
    'This approval prompt is no longer open, or the call is another one. The reply changed nothing. Check list_actions before you retry.';
  return new AppError('conflict', message);
}
