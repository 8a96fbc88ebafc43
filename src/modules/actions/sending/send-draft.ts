import { deliveryOf, type Action } from '#kernel/action';
import type { Db } from '#kernel/database';
import { isAsStrict } from '#kernel/rule';
import { databaseTime } from '#platform/database';
import { released } from '#platform/lease';
import { hashOf } from '../canonical.ts';
import { isSettled } from '../draft-states.ts';
import { askPolicy, subjectOfDraft } from '../policy/ask-policy.ts';
import { reconcile } from './reconcile.ts';
import { bringsForMs, reach, finishSendingJob, describeError, type GateDeps } from '../gate-deps.ts';
import { clearAway, storeNotSent, storeOutcome } from './store-outcome.ts';
import { keepDraftLease, noteOnDraft, noteSending, takeDraftLease } from '../store/draft-leases.ts';
import { findDraft, type DraftRow } from '../store/drafts.ts';
import { appendToLedger, readLedger } from '../store/ledger.ts';
import { hasMoved, knowsMore, snapshotAgain, type TargetSnapshot } from '../drafting/target-snapshot.ts';

/** A job that comes a little before its time may still ask. */
const earlyMs = 500;

/** What is known once sending may begin. */
type Prepared = { handle: Record<string, unknown>; startedAt: Date };

/**
 * Sends a draft that was decided, unless somebody else is at it. Whatever happens, the draft ends as confirmed, failed
 * or ambiguous, by this process or by the job that was enqueued with the decision.
 */
export async function sendDraft(deps: GateDeps, workspaceId: string, draftId: string): Promise<void> {
  const { transactions, times } = deps;
  const draft = await transactions.run(workspaceId, 'write', (db) => takeDraftLease(db, draftId, times.leaseMs));
  if (!draft) return;
  if (draft.send_started_at) return reconcileWhenDue(deps, draft, draft.send_started_at);
  if (hashOf({ ...draft, connectionId: draft.connection_id }) !== draft.payload_hash) {
    const message = 'It was not sent: what was stored is not what was decided.';
    return void (await endUnsent(deps, draft, 'failed', { message }));
  }
  const action = deps.registry.get(draft.source, draft.action);
  const prepared = await prepare(deps, draft, action);
  if (!prepared) return;
  try {
    const result = await action.send(reach(deps, draft), draft.payload, prepared.handle);
    await storeOutcome(deps, draft, { state: 'confirmed', result });
  } catch (error) {
    await afterError(deps, draft, error, prepared.startedAt);
  }
}

/** The job's part: settles a draft that its decider did not, and looks again while somebody else is at it. */
export async function finishSending(
  deps: GateDeps,
  { workspaceId, draftId }: { workspaceId: string; draftId: string },
): Promise<void> {
  await sendDraft(deps, workspaceId, draftId);
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    const draft = await findDraft(db, draftId);
    if (isSettled(draft.status) || !draft.lease_until) return;
    const at = new Date(Math.max(draft.lease_until.getTime(), (await databaseTime(db)).getTime()) + 1_000);
    await deps.jobs.enqueue(db, finishSendingJob, { workspaceId, draftId }, { at });
  });
}

/** Asks the provider about an earlier send, unless a later time was set for that; then its own job does. */
async function reconcileWhenDue(deps: GateDeps, draft: DraftRow, startedAt: Date): Promise<void> {
  const isEarly = await deps.transactions.run(draft.workspace_id, 'write', async (db) => {
    const isBefore = draft.ask_at && draft.ask_at.getTime() - earlyMs > (await databaseTime(db)).getTime();
    if (isBefore) await noteOnDraft(db, draft, released);
    return isBefore;
  });
  if (!isEarly) await reconcile(deps, draft, startedAt);
}

/** Obtains the handle and stores it; from then on a request may have left. Null: nothing will be sent by us. */
async function prepare(deps: GateDeps, draft: DraftRow, action: Action): Promise<Prepared | null> {
  let handle: Record<string, unknown>;
  const { transactions, times } = deps;
  const moreMs = bringsForMs(deps, draft);
  const keep = (db: Db) => keepDraftLease(db, draft, times.leaseMs + moreMs); // it outlives what files take
  if (moreMs > 0 && !(await transactions.run(draft.workspace_id, 'write', keep))) return null;
  try {
    const now = await snapshotAgain(deps, draft, action);
    const whyNot = now && (await whyNotSent(deps, action, draft, now));
    if (whyNot) {
      const isOurs = await endUnsent(deps, draft, 'stale', { message: whyNot });
      if (isOurs && isRetry(draft)) await clearUntold(deps, draft);
      return null;
    }
    const attempt = { draftId: draft.id, isRetry: isRetry(draft) };
    handle = await action.prepare(reach(deps, draft, moreMs), draft.payload, attempt);
  } catch (error) {
    if (await endUnsent(deps, draft, 'failed', describeError(deps, draft, error))) await clearUntold(deps, draft);
    return null;
  }
  return transactions.run(draft.workspace_id, 'write', async (db) => {
    const startedAt = await noteSending(db, draft, { handle, forMs: times.leaseMs });
    if (!startedAt) return null; // the lease was lost: somebody else sends
    const { connection_id, account } = draft;
    await appendToLedger(db, draft, 'sending', { handle, connection_id, account }, startedAt);
    return { handle, startedAt };
  });
}

const hasChanged =
  'What it would change was changed there after it was drafted, and nothing was sent. Draft it again if it is still wanted.';
const touchesOther =
  'What it touches could be looked up only now, and the policy asks for more than was given; nothing was sent. Draft it again if it is still wanted.';

/** Ends a draft of which surely nothing was sent. Answers whether this process ended it. */
function endUnsent(deps: GateDeps, draft: DraftRow, state: 'failed' | 'stale', error: { message: string }) {
  return storeOutcome(deps, draft, { state, error: { ...error, nothing_was_sent: true } });
}

/** An earlier attempt may have got as far as preparing. */
function isRetry(draft: DraftRow): boolean {
  return draft.lease_token > 1;
}

/** It is not what it was, or what is known of it by now is answered by a stricter rule. Null: nothing stands in its way. */
async function whyNotSent(
  deps: GateDeps,
  action: Action,
  { target: before, policy, ...draft }: DraftRow,
  now: TargetSnapshot,
): Promise<string | null> {
  if (!before || hasMoved(before, now)) return hasChanged;
  if (!policy || !knowsMore(before, now)) return null;
  const subject = subjectOfDraft(action, { ...draft, target: now });
  return deps.transactions.run(draft.workspace_id, 'read', async (db) => {
    const given = (await wasPerson(db, draft.id)) ? 'require_human' : policy.effect;
    return isAsStrict(given, (await askPolicy(db, subject)).effect) ? null : touchesOther;
  });
}

/** Whether a person decided it on a screen of theirs, which is as much as any rule can ask for. */
async function wasPerson(db: Db, draftId: string): Promise<boolean> {
  const decided = (await readLedger(db, draftId)).findLast(({ step }) => step === 'decided');
  return decided?.detail['human_surface'] === true;
}

/** What was made unsent, by this attempt or one before it, and not noted, is looked for and taken away; only by whoever ended it. */
async function clearUntold(deps: GateDeps, draft: DraftRow): Promise<void> {
  const { handle } = deps.registry.get(draft.source, draft.action);
  if (handle === 'unsent') await clearAway(deps, draft);
}

/** A request that failed before its first byte left did nothing; any other may have done it, so the provider is asked. */
async function afterError(deps: GateDeps, draft: DraftRow, error: unknown, startedAt: Date): Promise<void> {
  const described = describeError(deps, draft, error);
  if (deliveryOf(error) === 'not_sent') return storeNotSent(deps, draft, { ...described, nothing_was_sent: true });
  await reconcile(deps, draft, startedAt, described.message);
}
