import { released } from '#platform/lease';
import type { Outcome } from '#kernel/action';
import { databaseTime } from '#platform/database';
import { attribute, madeByCompeting, type Attribution } from './competing-drafts.ts';
import { reach, finishSendingJob, describeError, type GateDeps } from '../gate-deps.ts';
import { handleOf, recordOutcome, storeOutcome, storeNotSent } from './store-outcome.ts';
import { lockDraft, type DraftRow } from '../store/drafts.ts';
import { noteOnDraft } from '../store/draft-leases.ts';
import { appendToLedger } from '../store/ledger.ts';

/** The provider is asked for a day; what it could not tell by then, a person has to. */
const asksForMs = 24 * 60 * 60 * 1000;
/** A draft that is being sent has its outcome in a moment. */
const soonMs = 5_000;
const alikeIsSent = 'Another draft like it is being sent, and may have made what is there.';

/**
 * Asks the provider what became of a send. "Not there" counts only when it was asked after the request could no longer
 * arrive. Until then, and while the provider cannot answer, it is asked again, less and less often. `error` is what
 * went wrong with the send, when this process saw it.
 */
export async function reconcile(deps: GateDeps, draft: DraftRow, startedAt: Date, error?: string): Promise<void> {
  const { found, askedAt } = await ask(deps, { ...draft, send_started_at: startedAt });
  const { timeoutMs, settleAfterMs } = deps.times;
  const countsFrom = new Date(startedAt.getTime() + timeoutMs + settleAfterMs);
  const outcome = found.state === 'confirmed' ? await storeFound(deps, draft, found, askedAt) : found;
  if (outcome === null) return;
  if (outcome.state === 'failed' && askedAt >= countsFrom)
    return storeNotSent(deps, draft, { ...outcome.error, nothing_was_sent: true });
  const known = outcome.state === 'ambiguous' ? outcome.reason : 'The provider does not have it yet.';
  const reason = error ? `${error} ${known}` : known;
  const sinceStart = askedAt.getTime() - startedAt.getTime();
  if (sinceStart > asksForMs) return void (await storeOutcome(deps, draft, { state: 'ambiguous', reason }));
  const next = new Date(askedAt.getTime() + Math.max(settleAfterMs, sinceStart / 2));
  await askAgain(deps, draft, reason, outcome.state === 'failed' ? countsFrom : next);
}

/** What was found is this draft's, unless it may be another's. Null: nothing more is to be done about it now. */
async function storeFound(
  deps: GateDeps,
  draft: DraftRow,
  outcome: Outcome & { state: 'confirmed' },
  askedAt: Date,
): Promise<Exclude<Outcome, { state: 'confirmed' }> | null> {
  const action = deps.registry.get(draft.source, draft.action);
  const answers: Attribution[] = [];
  await storeOutcome(deps, draft, outcome, async (db, held) => {
    const answer = await attribute(db, action, held, outcome.result);
    answers.push(answer);
    return answer.isOurs === 'yes';
  });
  const [answer] = answers;
  if (!answer || answer.isOurs === 'yes') return null;
  if (answer.isOurs === 'no') return { state: 'ambiguous', reason: answer.reason };
  const waitMs = Math.min(deps.times.settleAfterMs, soonMs);
  await askAgain(deps, draft, alikeIsSent, new Date(askedAt.getTime() + waitMs));
  return null;
}

/** What the provider says, and when it was asked, by the clock of the database. */
async function ask(deps: GateDeps, draft: DraftRow): Promise<{ found: Outcome; askedAt: Date }> {
  const action = deps.registry.get(draft.source, draft.action);
  const { askedAt, others } = await deps.transactions.run(draft.workspace_id, 'read', async (db) => ({
    others: await madeByCompeting(db, action, draft),
    askedAt: await databaseTime(db),
  }));
  try {
    const found = await action.lookup(reach(deps, draft), draft.payload, await handleOf(deps, draft), others);
    return { found, askedAt };
  } catch (error) {
    return { found: { state: 'ambiguous', reason: describeError(deps, draft, error).message }, askedAt };
  }
}

/** Says that nobody knows yet, lets go of the draft, and has it looked at again later. */
async function askAgain(deps: GateDeps, draft: DraftRow, reason: string, at: Date): Promise<void> {
  await deps.transactions.run(draft.workspace_id, 'write', async (db) => {
    const held = await lockDraft(db, draft.id);
    if (held.lease_token !== draft.lease_token) return; // somebody else is at it
    if (held.status === 'confirming') await recordOutcome(deps, db, held, { state: 'ambiguous', reason });
    else await appendToLedger(db, held, 'asked_provider', { reason }, deps.now());
    await noteOnDraft(db, held, { ...released, ask_at: at });
    await deps.jobs.enqueue(db, finishSendingJob, { workspaceId: held.workspace_id, draftId: held.id }, { at });
  });
}
