// A draft is bound to the rule that answered when it was drafted. When another rule answers now, it is stale.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { ruled } from './draft.ts';
import { draftDecided } from './events.ts';
import { askPolicy, subjectOfDraft, type Ruling } from './policy/ask-policy.ts';
import { isSameRule, judge, reasonOf, type Policy } from './policy/judge.ts';
import type { ActionRegistry } from './registry.ts';
import type { Sending } from './sending.ts';
import { moveDraft, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';
import { lockPending } from './store/open-drafts.ts';
import { currentPolicy } from './store/policies.ts';

/** So many drafts are looked at in one transaction. */
const atOnce = 200;

type Told = ReturnType<typeof draftDecided>;

/** In which transaction a draft becomes stale, when, and how that is told. */
type Staling = { db: Db; at: Date; tell: (event: Told) => Promise<void> };

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
  await stale(stalingIn(ctx), draft, standing);
  return false;
}

/**
 * Has the drafts that wait become stale which another rule would answer, as many as are looked at in one transaction: whoever changes
 * the policy sees it at once. The rest follows by `staleAfterChange`.
 */
export function staleAtChange(ctx: Context, registry: ActionRegistry): Promise<Looked> {
  return staleSome(stalingIn(ctx), registry, null);
}

/** Has all drafts of a workspace that wait become stale which another rule would answer by now, part by part. */
export async function staleAfterChange(
  { transactions, registry, tell, now, newId }: Sending,
  workspaceId: string,
): Promise<void> {
  for (let afterId: string | null = null; ;) {
    const { lastId }: Looked = await transactions.run(workspaceId, 'write', (db) => {
      const at = now();
      const staling = { db, at, tell: (event: Told) => tell(db, event, { id: newId(), workspaceId, at }) };
      return staleSome(staling, registry, afterId);
    });
    if (lastId === null) return;
    afterId = lastId;
  }
}

/** How many became stale, and the last that was looked at where there are more; null: those were all. */
type Looked = { stale: number; lastId: string | null };

async function staleSome(staling: Staling, registry: ActionRegistry, afterId: string | null): Promise<Looked> {
  const policy = await currentPolicy(staling.db);
  const drafts = await lockPending(staling.db, { afterId, limit: atOnce });
  const overtaken = drafts.flatMap((draft) => {
    const standing = rulingBy(policy, registry, draft);
    return standing && draft.policy && !isSameRule(draft.policy, standing) ? [{ draft, standing }] : [];
  });
  for (const { draft, standing } of overtaken) await stale(staling, draft, standing);
  return { stale: overtaken.length, lastId: drafts.length < atOnce ? null : (drafts.at(-1)?.id ?? null) };
}

/** Null: there is no such action any more, and nobody can approve the draft. */
function rulingBy(policy: Policy, registry: ActionRegistry, draft: DraftRow): Ruling | null {
  const action = registry.find(draft.source, draft.action);
  return action ? { ...judge(policy, subjectOfDraft(action, draft)), version: policy.version } : null;
}

async function stale({ db, at, tell }: Staling, draft: DraftRow, standing: Ruling): Promise<void> {
  const message = `The policy changed since it was drafted, and nothing was sent. ${reasonOf(standing)} Draft it again if it is still wanted.`;
  await moveDraft(db, draft, 'stale', { error: { message }, settled_at: at });
  await appendToLedger(db, draft, 'stale', { message, policy: ruled(standing) }, at);
  await tell(draftDecided({ draft_id: draft.id, status: 'stale' }, { personId: draft.person_id }));
}

function stalingIn({ db, now, emit }: Context): Staling {
  return { db, at: now, tell: emit };
}
