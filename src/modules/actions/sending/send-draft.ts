// Sends an approved draft, in the steps lease, check, prepare, store the handle, send, store the outcome.
import { classifyDelivery, type Action } from '#kernel/action';
import { readDatabaseTime } from '#platform/database';
import { hashDraft } from '../canonical.ts';
import { isFinalState } from '../draft-states.ts';
import { computeFileTimeMs, reach, finishSendingJob, describeError, type GateDeps } from '../gate-deps.ts';
import { keepDraftLease, noteSending, takeDraftLease } from '../store/draft-leases.ts';
import { findDraft, type DraftRow } from '../store/drafts.ts';
import { appendToLedger } from '../store/ledger.ts';
import { checkTarget } from './check-target.ts';
import { reconcile, type SentDraft } from './reconcile.ts';
import { endUnsent, storeOutcome } from './store-outcome.ts';

/**
 * Sends an approved draft, unless another process works on it. In every case the draft ends as confirmed, failed or
 * ambiguous, by this process or by the job that was enqueued with the decision.
 */
export async function sendDraft(deps: GateDeps, workspaceId: string, draftId: string): Promise<void> {
  const { transactions, times } = deps;
  const draft = await transactions.run(workspaceId, 'write', (db) => takeDraftLease(db, draftId, times.leaseMs));
  if (!draft) return;
  const { send_started_at, handle } = draft;
  if (send_started_at && handle) return reconcile(deps, { ...draft, send_started_at, handle });
  if (hashDraft({ ...draft, connectionId: draft.connection_id }) !== draft.payload_hash) {
    const message = 'The draft was not sent: its stored content is not the content that was approved.';
    return endUnsent(deps, draft, 'failed', { message });
  }
  const action = deps.registry.get(draft.source, draft.action, draft.payload);
  const outdated = await deps.transactions.run(workspaceId, 'read', async (db) => action.outdated?.(db, draft.payload));
  if (outdated) return endUnsent(deps, draft, 'stale', { message: outdated });
  const prepared = await prepare(deps, draft, action);
  if (!prepared) return;
  try {
    const result = await action.send(reach(deps, prepared), prepared.payload, prepared.handle);
    await storeOutcome(deps, prepared, { state: 'confirmed', result });
  } catch (error) {
    // A request that failed before its first byte was sent did nothing. Any other may have arrived, so the provider is
    // asked.
    const described = describeError(deps, draft, error);
    if (classifyDelivery(error) === 'not_sent') await endUnsent(deps, prepared, 'failed', described);
    else await reconcile(deps, prepared, described.message);
  }
}

/** Obtains the handle and stores it. From then on a request may have been sent. Null: this process sends nothing. */
async function prepare(deps: GateDeps, draft: DraftRow, action: Action): Promise<SentDraft | null> {
  const { transactions, times } = deps;
  const { workspace_id, connection_id, account, lease_token } = draft;
  const moreMs = computeFileTimeMs(deps, draft);
  const keepLease = () =>
    transactions.run(workspace_id, 'write', (db) => keepDraftLease(db, draft, times.leaseMs + moreMs));
  if (moreMs > 0 && !(await keepLease())) return null;
  let handle: Record<string, unknown>;
  try {
    const objection = await checkTarget(deps, draft, action);
    if (objection) {
      await endUnsent(deps, draft, 'stale', { message: objection });
      return null;
    }
    const attempt = { draftId: draft.id, isRetry: lease_token > 1 };
    handle = await action.prepare(reach(deps, draft, moreMs), draft.payload, attempt);
  } catch (error) {
    await endUnsent(deps, draft, 'failed', describeError(deps, draft, error));
    return null;
  }
  return transactions.run(workspace_id, 'write', async (db) => {
    const send_started_at = await noteSending(db, draft, { handle, forMs: times.leaseMs });
    if (!send_started_at) return null; // the lease was lost: another process sends
    await appendToLedger(db, draft, 'sending', { handle, connection_id, account }, send_started_at);
    return { ...draft, handle, send_started_at };
  });
}

/**
 * The job that sends a draft when the process that approved it did not. It is enqueued again while another process
 * works on the draft.
 */
export async function finishSending(
  deps: GateDeps,
  { workspaceId, draftId }: { workspaceId: string; draftId: string },
): Promise<void> {
  await sendDraft(deps, workspaceId, draftId);
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    const draft = await findDraft(db, draftId);
    if (isFinalState(draft.status) || !draft.lease_until) return;
    const at = new Date(Math.max(draft.lease_until.getTime(), (await readDatabaseTime(db)).getTime()) + 1_000);
    await deps.jobs.enqueue(db, finishSendingJob, { workspaceId, draftId }, { at });
  });
}
