import { deliveryOf, type Action } from '#kernel/action';
import { hashOf } from './canonical.ts';
import { isSettled } from './draft-states.ts';
import { reconcile } from './reconcile.ts';
import { reach, settleJob, told, type Sending } from './sending.ts';
import { settle, settleUnsent } from './settle.ts';
import { findDraft, noteOnDraft, takeDraftLease, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

/** A job that comes a little before its time may still ask. */
const earlyMs = 500;

/** What is known once sending may begin. */
type Prepared = { handle: Record<string, unknown>; startedAt: Date };

/**
 * Sends a draft that was decided, unless somebody else is at it. Whatever happens, the draft ends as confirmed, failed
 * or ambiguous, by this process or by the job that was enqueued with the decision.
 */
export async function sendDraft(sending: Sending, workspaceId: string, draftId: string): Promise<void> {
  const draft = await claim(sending, workspaceId, draftId);
  if (!draft) return;
  if (draft.send_started_at) return lookAgain(sending, draft, draft.send_started_at);
  if (hashOf({ ...draft, connectionId: draft.connection_id }) !== draft.payload_hash) {
    return settleUnprepared(sending, draft, { message: 'It was not sent: what was stored is not what was decided.' });
  }
  const action = sending.registry.get(draft.source, draft.action);
  const prepared = await prepare(sending, draft, action);
  if (!prepared) return;
  try {
    const result = await action.send(reach(sending, draft), draft.payload, prepared.handle);
    await settle(sending, draft, { state: 'confirmed', result });
  } catch (error) {
    await afterFault(sending, draft, error, prepared.startedAt);
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
    const at = new Date(Math.max(draft.lease_until.getTime(), sending.now().getTime()) + 1_000);
    await sending.jobs.enqueue(db, settleJob, { workspaceId, draftId }, { at });
  });
}

/** Asks the provider about an earlier send, unless a later time was set for that; then its own job does. */
async function lookAgain(sending: Sending, draft: DraftRow, startedAt: Date): Promise<void> {
  const isEarly = draft.ask_at && draft.ask_at.getTime() - earlyMs > sending.now().getTime();
  if (!isEarly) return reconcile(sending, draft, startedAt);
  await sending.transactions.run(draft.workspace_id, 'write', (db) => noteOnDraft(db, draft, { lease_until: null }));
}

/** Obtains the handle and stores it; from then on a request may have left. Null: nothing will be sent by us. */
async function prepare(sending: Sending, draft: DraftRow, action: Action): Promise<Prepared | null> {
  let handle: Record<string, unknown>;
  try {
    const attempt = { draftId: draft.id, isRetry: draft.lease_token > 1 };
    handle = await action.prepare(reach(sending, draft), draft.payload, attempt);
  } catch (error) {
    await settleUnprepared(sending, draft, told(sending, draft, error));
    return null;
  }
  return sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    const startedAt = sending.now();
    const change = { handle, send_started_at: startedAt, lease_until: sending.times.leaseEnd(startedAt) };
    if (!(await noteOnDraft(db, draft, change))) return null; // the lease was lost: somebody else sends
    await appendToLedger(db, draft, 'sending', { handle }, startedAt);
    return { handle, startedAt };
  });
}

async function settleUnprepared(sending: Sending, draft: DraftRow, error: { message: string }): Promise<void> {
  await settle(sending, draft, { state: 'failed', error: { ...error, nothing_was_sent: true } });
}

/** A request that failed before its first byte left did nothing; any other may have done it, so the provider is asked. */
async function afterFault(sending: Sending, draft: DraftRow, error: unknown, startedAt: Date): Promise<void> {
  const fault = told(sending, draft, error);
  if (deliveryOf(error) === 'not_sent') return settleUnsent(sending, draft, fault);
  await reconcile(sending, draft, startedAt, fault.message);
}

function claim({ transactions, now, times }: Sending, workspaceId: string, draftId: string) {
  return transactions.run(workspaceId, 'write', (db) => {
    const at = now();
    return takeDraftLease(db, draftId, at, times.leaseEnd(at));
  });
}
