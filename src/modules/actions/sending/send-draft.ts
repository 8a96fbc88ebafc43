import { deliveryOf, type Action } from '#kernel/action';
import type { Db } from '#kernel/database';
import { isAsStrict } from '#kernel/rule';
import { databaseTime } from '#platform/database';
import { released } from '#platform/lease';
import { hashOf } from '../canonical.ts';
import { isSettled } from '../draft-states.ts';
import { askPolicy, subjectOfDraft } from '../policy/ask-policy.ts';
import { reconcile } from './reconcile.ts';
import { bringsForMs, reach, settleJob, describeError, type Sending } from './sending.ts';
import { clearAway, settle, settleStale, settleUnsent } from './settle.ts';
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
export async function sendDraft(sending: Sending, workspaceId: string, draftId: string): Promise<void> {
  const { transactions, times } = sending;
  const draft = await transactions.run(workspaceId, 'write', (db) => takeDraftLease(db, draftId, times.leaseMs));
  if (!draft) return;
  if (draft.send_started_at) return reconcileWhenDue(sending, draft, draft.send_started_at);
  if (hashOf({ ...draft, connectionId: draft.connection_id }) !== draft.payload_hash) {
    await settleUnprepared(sending, draft, { message: 'It was not sent: what was stored is not what was decided.' });
    return;
  }
  const action = sending.registry.get(draft.source, draft.action);
  const prepared = await prepare(sending, draft, action);
  if (!prepared) return;
  try {
    const result = await action.send(reach(sending, draft), draft.payload, prepared.handle);
    await settle(sending, draft, { state: 'confirmed', result });
  } catch (error) {
    await afterError(sending, draft, error, prepared.startedAt);
  }
}

/** The job's part: settles a draft that its decider did not, and looks again while somebody else is at it. */
export async function settleLater(
  sending: Sending,
  { workspaceId, draftId }: { workspaceId: string; draftId: string },
): Promise<void> {
  await sendDraft(sending, workspaceId, draftId);
  await sending.transactions.run(workspaceId, 'write', async (db) => {
    const draft = await findDraft(db, draftId);
    if (isSettled(draft.status) || !draft.lease_until) return;
    const at = new Date(Math.max(draft.lease_until.getTime(), (await databaseTime(db)).getTime()) + 1_000);
    await sending.jobs.enqueue(db, settleJob, { workspaceId, draftId }, { at });
  });
}

/** Asks the provider about an earlier send, unless a later time was set for that; then its own job does. */
async function reconcileWhenDue(sending: Sending, draft: DraftRow, startedAt: Date): Promise<void> {
  const isEarly = await sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    const isBefore = draft.ask_at && draft.ask_at.getTime() - earlyMs > (await databaseTime(db)).getTime();
    if (isBefore) await noteOnDraft(db, draft, released);
    return isBefore;
  });
  if (!isEarly) await reconcile(sending, draft, startedAt);
}

/** Has the lease outlive what files take. False: it was lost. */
function holdLonger({ transactions, times }: Sending, draft: DraftRow, moreMs: number): Promise<boolean> {
  return transactions.run(draft.workspace_id, 'write', (db) => keepDraftLease(db, draft, times.leaseMs + moreMs));
}

/** Obtains the handle and stores it; from then on a request may have left. Null: nothing will be sent by us. */
async function prepare(sending: Sending, draft: DraftRow, action: Action): Promise<Prepared | null> {
  let handle: Record<string, unknown>;
  const moreMs = bringsForMs(sending, draft);
  if (moreMs > 0 && !(await holdLonger(sending, draft, moreMs))) return null;
  try {
    const now = await snapshotAgain(sending, draft, action);
    const whyNot = now && (await whyNotSent(sending, action, draft, now));
    if (whyNot) return await becomeStale(sending, draft, whyNot);
    const attempt = { draftId: draft.id, isRetry: isRetry(draft) };
    handle = await action.prepare(reach(sending, draft, moreMs), draft.payload, attempt);
  } catch (error) {
    const isOurs = await settleUnprepared(sending, draft, describeError(sending, draft, error));
    if (isOurs) await clearUntold(sending, draft);
    return null;
  }
  return sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    const startedAt = await noteSending(db, draft, { handle, forMs: sending.times.leaseMs });
    if (!startedAt) return null; // the lease was lost: somebody else sends
    await appendToLedger(db, draft, 'sending', { handle, ...through(draft) }, startedAt);
    return { handle, startedAt };
  });
}

function through({ connection_id, account }: DraftRow) {
  return { connection_id, account };
}

const hasChanged =
  'What it would change was changed there after it was drafted, and nothing was sent. Draft it again if it is still wanted.';
const touchesOther =
  'What it touches could be looked up only now, and the policy asks for more than was given; nothing was sent. Draft it again if it is still wanted.';

/** It is not what was seen when it was drafted. Null: nothing is sent. */
async function becomeStale(sending: Sending, draft: DraftRow, message: string): Promise<null> {
  const isOurs = await settleStale(sending, draft, { message, nothing_was_sent: true });
  if (isOurs && isRetry(draft)) await clearUntold(sending, draft);
  return null;
}

function settleUnprepared(sending: Sending, draft: DraftRow, error: { message: string }): Promise<boolean> {
  return settle(sending, draft, { state: 'failed', error: { ...error, nothing_was_sent: true } });
}

/** An earlier attempt may have got as far as preparing. */
function isRetry(draft: DraftRow): boolean {
  return draft.lease_token > 1;
}

/** It is not what it was, or what is known of it by now is answered by a stricter rule. Null: nothing stands in its way. */
async function whyNotSent(
  sending: Sending,
  action: Action,
  { target: before, policy, ...draft }: DraftRow,
  now: TargetSnapshot,
): Promise<string | null> {
  if (!before || hasMoved(before, now)) return hasChanged;
  if (!policy || !knowsMore(before, now)) return null;
  const subject = subjectOfDraft(action, { ...draft, target: now });
  return sending.transactions.run(draft.workspace_id, 'read', async (db) => {
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
async function clearUntold(sending: Sending, draft: DraftRow): Promise<void> {
  const { handle } = sending.registry.get(draft.source, draft.action);
  if (handle === 'unsent') await clearAway(sending, draft);
}

/** A request that failed before its first byte left did nothing; any other may have done it, so the provider is asked. */
async function afterError(sending: Sending, draft: DraftRow, error: unknown, startedAt: Date): Promise<void> {
  const described = describeError(sending, draft, error);
  if (deliveryOf(error) === 'not_sent') return settleUnsent(sending, draft, { ...described, nothing_was_sent: true });
  await reconcile(sending, draft, startedAt, described.message);
}
