// A draft is bound to the rule that answered when it was drafted. When another rule answers now, it is stale.
import type { Context } from '#kernel/context';
import { ruled } from './draft.ts';
import { draftDecided } from './events.ts';
import { askPolicy, subjectOfDraft, type Ruling } from './policy/ask-policy.ts';
import { reasonOf } from './policy/judge.ts';
import type { ActionRegistry } from './registry.ts';
import { moveDraft, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** What the policy answers now to a draft, or to what an edit would make of it. */
export function rulingOn(
  ctx: Context,
  registry: ActionRegistry,
  draft: DraftRow,
  payload: Record<string, unknown> = draft.payload,
): Promise<Ruling> {
  return askPolicy(ctx.db, subjectOfDraft(registry.get(draft.source, draft.action), draft, payload));
}

/** Not an error that would undo it: the draft is stale from here on, and the answer to whoever confirms it says so. */
export async function becomeStale(ctx: Context, draft: DraftRow, standing: Ruling): Promise<false> {
  const message = `The policy changed since it was drafted, and nothing was sent. ${reasonOf(standing)} Draft it again if it is still wanted.`;
  await moveDraft(ctx.db, draft, 'stale', { error: { message }, settled_at: ctx.now });
  await appendToLedger(ctx.db, draft, 'stale', { message, policy: ruled(standing) }, ctx.now);
  await ctx.emit(draftDecided({ draft_id: draft.id, status: 'stale' }, { personId: draft.person_id }));
  return false;
}
