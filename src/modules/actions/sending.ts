import type { Action, Outcome } from '#kernel/action';
import { deliveryOf } from '#kernel/action';
import type { Db, Transactions } from '#kernel/database';
import { publicError } from '#kernel/errors';
import { storeEvent } from '#modules/audit';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import { isFinal } from './draft-states.ts';
import { draftDecided } from './events.ts';
import type { ActionRegistry } from './registry.ts';
import { findDraft, moveDraft, noteOnDraft, takeDraftLease, type Change, type DraftRow } from './store/drafts.ts';
import { appendToLedger, type LedgerStep } from './store/ledger.ts';

/** How long things may take. `settleAfterMs` is what "not there" needs beyond the time-out before it counts. */
export type SendTimes = { timeoutMs: number; settleAfterMs: number; leaseEnd(now: Date): Date };

export const settleJob = 'settle-draft';

/** The provider is asked for a day; what it could not tell by then, a person has to. */
const asksForMs = 24 * 60 * 60 * 1000;

export type Sending = {
  transactions: Transactions;
  registry: ActionRegistry;
  jobs: Jobs;
  /** How an action reaches the provider, in the name of the draft's account. */
  connect(draft: DraftRow): unknown;
  times: SendTimes;
  log: Log;
  now: () => Date;
  newId: () => string;
};

/** Times from one time-out: a lease outlives preparing and sending together. */
export function sendTimes(timeoutMs: number, settleAfterMs: number): SendTimes {
  return { timeoutMs, settleAfterMs, leaseEnd: (now) => new Date(now.getTime() + 2 * timeoutMs + 5_000) };
}

/**
 * Sends a draft that was decided, unless somebody else is at it. Whatever happens, the draft ends as confirmed, failed
 * or ambiguous, by this process or by the job that was enqueued with the decision.
 */
export async function sendDraft(sending: Sending, workspaceId: string, draftId: string): Promise<void> {
  const draft = await claim(sending, workspaceId, draftId);
  if (!draft) return;
  if (draft.send_started_at) return reconcile(sending, draft);
  const action = sending.registry.get(draft.source, draft.action);
  const connection = sending.connect(draft);
  const handle = await prepare(sending, draft, action, connection);
  if (!handle) return;
  try {
    const result = await action.send(connection, draft.payload, handle);
    await settle(sending, draft, { state: 'confirmed', result });
  } catch (error) {
    await afterFault(sending, draft, error);
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
    if (isFinal(draft.status) || !draft.lease_until) return;
    const at = new Date(Math.max(draft.lease_until.getTime(), sending.now().getTime()) + 1_000);
    await sending.jobs.enqueue(db, settleJob, { workspaceId, draftId }, { at });
  });
}

/** Obtains the handle and stores it; from then on a request may have left. Null: nothing will be sent by us. */
async function prepare(
  sending: Sending,
  draft: DraftRow,
  action: Action,
  connection: unknown,
): Promise<Record<string, unknown> | null> {
  let handle: Record<string, unknown>;
  try {
    handle = await action.prepare(connection, draft.payload, { draftId: draft.id, isRetry: draft.lease_token > 1 });
  } catch (error) {
    await settle(sending, draft, {
      state: 'failed',
      error: { ...told(sending, draft, error), nothing_was_sent: true },
    });
    return null;
  }
  const isOurs = await sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    const at = sending.now();
    if (!(await noteOnDraft(db, draft, { handle, send_started_at: at }))) return false;
    await appendToLedger(db, draft, 'sending', { handle }, at);
    return true;
  });
  return isOurs ? handle : null;
}

/** A request that failed before its first byte left did nothing; any other may have done it, so the provider is asked. */
async function afterFault(sending: Sending, draft: DraftRow, error: unknown): Promise<void> {
  const fault = told(sending, draft, error);
  if (deliveryOf(error) === 'not_sent') return settleUnsent(sending, draft, fault);
  await settle(sending, draft, { state: 'ambiguous', reason: fault.message });
  await reconcile(sending, { ...draft, status: 'ambiguous', send_started_at: draft.send_started_at ?? sending.now() });
}

/**
 * Asks the provider what became of a send. "Not there" counts only once the request can no longer arrive: after the
 * time-out and some more. Until then, and while the provider cannot answer, the job asks again.
 */
async function reconcile(sending: Sending, draft: DraftRow): Promise<void> {
  const action = sending.registry.get(draft.source, draft.action);
  const startedAt = draft.send_started_at ?? sending.now();
  let outcome: Outcome;
  try {
    outcome = await action.lookup(
      sending.connect(draft),
      draft.payload,
      draft.handle ?? (await handleOf(sending, draft)),
    );
  } catch (error) {
    outcome = { state: 'ambiguous', reason: told(sending, draft, error).message };
  }
  const countsFrom = new Date(startedAt.getTime() + sending.times.timeoutMs + sending.times.settleAfterMs);
  const isTooEarly = outcome.state === 'failed' && sending.now() < countsFrom;
  if (outcome.state === 'confirmed') return settle(sending, draft, outcome);
  if (outcome.state === 'failed' && !isTooEarly) return settleUnsent(sending, draft, outcome.error);
  const reason = outcome.state === 'ambiguous' ? outcome.reason : 'The provider does not have it yet.';
  const isGivenUp = sending.now().getTime() > startedAt.getTime() + asksForMs;
  if (isGivenUp) return settle(sending, draft, { state: 'ambiguous', reason });
  await askAgain(
    sending,
    draft,
    reason,
    isTooEarly ? countsFrom : new Date(sending.now().getTime() + sending.times.settleAfterMs),
  );
}

async function askAgain(sending: Sending, draft: DraftRow, reason: string, at: Date): Promise<void> {
  await sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    if (draft.status === 'confirming')
      await write(sending, db, draft, 'ambiguous', { error: { message: reason } }, { reason });
    else await appendToLedger(db, draft, 'asked_provider', { reason }, sending.now());
    await noteOnDraft(db, draft, { lease_until: null });
    await sending.jobs.enqueue(db, settleJob, { workspaceId: draft.workspace_id, draftId: draft.id }, { at });
  });
}

/** Ends a draft that was not sent, and then clears away what preparing it left at the provider, if that can be done. */
async function settleUnsent(
  sending: Sending,
  draft: DraftRow,
  error: Record<string, unknown> & { message: string },
): Promise<void> {
  await settle(sending, draft, { state: 'failed', error });
  const action = sending.registry.get(draft.source, draft.action);
  try {
    await action.abandon?.(sending.connect(draft), await handleOf(sending, draft));
  } catch (err) {
    sending.log.warn({ err, draft_id: draft.id }, 'an unsent draft could not be cleared away at the provider');
  }
}

/** Ends a draft's life, or says that nobody knows; with its ledger row and its event, in one transaction. */
async function settle(sending: Sending, draft: DraftRow, outcome: Outcome): Promise<void> {
  await sending.transactions.run(draft.workspace_id, 'write', async (db) => {
    const held = await findDraft(db, draft.id);
    if (held.lease_token !== draft.lease_token) return; // somebody else settles it
    if (outcome.state === 'confirmed')
      return write(sending, db, held, 'confirmed', { result: outcome.result }, { result: outcome.result });
    const error = outcome.state === 'failed' ? outcome.error : { message: outcome.reason };
    if (outcome.state === held.status) return void (await noteOnDraft(db, held, { error, lease_until: null }));
    await write(sending, db, held, outcome.state, { error }, error);
  });
}

async function write(
  sending: Sending,
  db: Db,
  draft: DraftRow,
  state: 'confirmed' | 'failed' | 'ambiguous',
  change: Change,
  detail: Record<string, unknown>,
): Promise<void> {
  const at = sending.now();
  await moveDraft(db, draft, state, { ...change, ...(state !== 'ambiguous' && { settled_at: at }) });
  await appendToLedger(db, draft, state satisfies LedgerStep, detail, at);
  const event = draftDecided({ draft_id: draft.id, status: state }, { personId: draft.person_id });
  await storeEvent(db, event, { id: sending.newId(), workspaceId: draft.workspace_id, at });
}

function claim(
  { transactions, now, times }: Sending,
  workspaceId: string,
  draftId: string,
): Promise<DraftRow | undefined> {
  return transactions.run(workspaceId, 'write', (db) => {
    const at = now();
    return takeDraftLease(db, draftId, at, times.leaseEnd(at));
  });
}

async function handleOf({ transactions }: Sending, draft: DraftRow): Promise<Record<string, unknown>> {
  const stored = await transactions.run(draft.workspace_id, 'read', (db) => findDraft(db, draft.id));
  if (!stored.handle) throw new Error('a draft whose sending began has no handle');
  return stored.handle;
}

/** What is kept of a fault: our own errors' words; of a bug only that there was one, and the log has the rest. */
function told({ log }: Sending, draft: DraftRow, error: unknown): Record<string, unknown> & { message: string } {
  const known = publicError(error, draft.id);
  if (known.code === 'internal') log.error({ err: error, draft_id: draft.id }, 'sending failed by a bug');
  return { message: known.message, code: known.code, ...known.details };
}
