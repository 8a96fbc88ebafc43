// After sending with an unknown outcome, asks the provider what happened.
import type { Outcome } from '#kernel/action';
import { readDatabaseTime } from '#platform/database';
import { released } from '#platform/lease';
import { reach, finishSendingJob, describeError, type GateDeps } from '../gate-deps.ts';
import { noteOnDraft } from '../store/draft-leases.ts';
import { lockDraft, type DraftRow } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';
import { determineOrigin, listCompetingItems, type Attribution } from './competing-drafts.ts';
import { endUnsent, recordOutcome, storeOutcome } from './store-outcome.ts';

/** A draft whose request may have been sent. */
export type SentDraft = DraftRow & { handle: Record<string, unknown>; send_started_at: Date };

/** The provider is asked for a day. After that a person must answer. */
const asksForMs = 24 * 60 * 60 * 1000;
/** The outcome of a competing draft that is being sent is known in a moment. */
const soonMs = 5_000;
const competitorIsSent = 'A competing draft is being sent, and may have made the found item.';

/**
 * Asks the provider about a sent request. "Not there" counts only if the provider was asked after the request could no
 * longer arrive. Until then, and while the provider cannot answer, the question is repeated at growing intervals.
 * `error`: why sending failed, if this process saw it.
 */
export async function reconcile(deps: GateDeps, draft: SentDraft, error?: string): Promise<void> {
  const { timeoutMs, settleAfterMs } = deps.times;
  const startedAt = draft.send_started_at.getTime();
  const countsFrom = new Date(startedAt + timeoutMs + settleAfterMs);
  const { outcome, askedAt } = await askProvider(deps, draft);
  if (outcome.state === 'failed' && askedAt >= countsFrom) return endUnsent(deps, draft, 'failed', outcome.error);
  let known = 'The provider does not have it yet.';
  if (outcome.state === 'ambiguous') known = outcome.reason;
  if (outcome.state === 'confirmed') {
    const isOurs = await storeIfOurs(deps, draft, outcome);
    if (isOurs === 'yes') return;
    if (isOurs === 'later') {
      const soon = new Date(askedAt.getTime() + Math.min(settleAfterMs, soonMs));
      return askAgain(deps, draft, competitorIsSent, soon);
    }
    known = isOurs.reason;
  }
  const reason = error ? `${error} ${known}` : known;
  const sinceStart = askedAt.getTime() - startedAt;
  if (sinceStart > asksForMs) return void (await storeOutcome(deps, draft, { state: 'ambiguous', reason }));
  const next = new Date(askedAt.getTime() + Math.max(settleAfterMs, sinceStart / 2));
  await askAgain(deps, draft, reason, outcome.state === 'failed' ? countsFrom : next);
}

/** The provider's answer, and when it was asked, by the clock of the database. */
async function askProvider(deps: GateDeps, draft: SentDraft): Promise<{ outcome: Outcome; askedAt: Date }> {
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  const { askedAt, others } = await deps.transactions.run(draft.workspace_id, 'read', async (db) => ({
    others: await listCompetingItems(db, action, draft),
    askedAt: await readDatabaseTime(db),
  }));
  try {
    return { outcome: await action.lookup(reach(deps, draft), draft.payload, draft.handle, others), askedAt };
  } catch (error) {
    return { outcome: { state: 'ambiguous', reason: describeError(deps, draft, error).message }, askedAt };
  }
}

/** Stores the found result, unless a competing draft may have made it. */
async function storeIfOurs(
  deps: GateDeps,
  draft: SentDraft,
  outcome: Outcome & { state: 'confirmed' },
): Promise<Attribution> {
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  let attribution: Attribution = 'yes';
  await storeOutcome(deps, draft, outcome, async (db, lockedDraft) => {
    attribution = await determineOrigin(db, action, lockedDraft, outcome.result);
    return attribution === 'yes';
  });
  return attribution;
}

/** Stores that the outcome is unknown, releases the lease, and enqueues the next question. */
async function askAgain(deps: GateDeps, draft: DraftRow, reason: string, at: Date): Promise<void> {
  await deps.transactions.run(draft.workspace_id, 'write', async (db) => {
    const lockedDraft = await lockDraft(db, draft.id);
    if (lockedDraft.lease_token !== draft.lease_token) return; // another process works on it
    if (lockedDraft.status === 'confirming') await recordOutcome(deps, db, lockedDraft, { state: 'ambiguous', reason });
    else await appendToLedger(db, lockedDraft, 'asked_provider', { reason }, deps.now());
    await noteOnDraft(db, lockedDraft, { ...released, ask_at: at });
    await deps.jobs.enqueue(
      db,
      finishSendingJob,
      { workspaceId: lockedDraft.workspace_id, draftId: lockedDraft.id },
      { at },
    );
  });
}
