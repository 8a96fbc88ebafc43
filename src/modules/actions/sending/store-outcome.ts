// The outcome of a send: its state, ledger row and event are stored in one transaction.
import type { Outcome } from '#kernel/action';
import type { Db } from '#kernel/database';
import { released } from '#platform/lease';
import { mayFollow } from '../draft-states.ts';
import { reach, type GateDeps } from '../gate-deps.ts';
import { findDraft, lockDraft, type DraftRow } from '../store/drafts.ts';
import { noteOnDraft } from '../store/draft-leases.ts';
import { createWorkScene, changeDraftState } from '../change-draft-state.ts';

/** `stale`: the draft was approved, and its target changed before it was sent. */
type FinalOutcome = Outcome | (Omit<Outcome & { state: 'failed' }, 'state'> & { state: 'stale' });

/**
 * Stores an outcome, or that it is unknown. Only the holder of the lease may do so, except that a provider's own "it
 * happened" is accepted from any process. `may` decides while the draft is locked. Returns whether the outcome was
 * stored.
 */
export function storeOutcome(
  deps: GateDeps,
  draft: DraftRow,
  outcome: FinalOutcome,
  may: (db: Db, lockedDraft: DraftRow) => Promise<boolean> = async () => true,
): Promise<boolean> {
  return deps.transactions.run(draft.workspace_id, 'write', async (db) => {
    const lockedDraft = await lockDraft(db, draft.id);
    if (lockedDraft.lease_token !== draft.lease_token && outcome.state !== 'confirmed') return false;
    if (outcome.state === 'ambiguous' && lockedDraft.status === 'ambiguous') {
      return noteOnDraft(db, lockedDraft, { error: { message: outcome.reason }, ...released });
    }
    if (!mayFollow(lockedDraft.status, outcome.state) || !(await may(db, lockedDraft))) return false;
    await recordOutcome(deps, db, lockedDraft, outcome);
    return true;
  });
}

/** Writes an outcome to a locked draft. */
export async function recordOutcome(
  deps: GateDeps,
  db: Db,
  lockedDraft: DraftRow,
  outcome: FinalOutcome,
): Promise<void> {
  const scene = createWorkScene(deps, db, lockedDraft.workspace_id);
  if (outcome.state === 'confirmed') {
    const { state: to, result } = outcome;
    return changeDraftState(scene, lockedDraft, { to, change: { result, error: null }, detail: { result } });
  }
  const error = outcome.state === 'ambiguous' ? { message: outcome.reason } : outcome.error;
  return changeDraftState(scene, lockedDraft, { to: outcome.state, change: { error }, detail: error });
}

/** Ends a draft when it is certain that nothing was sent, and then deletes what was prepared at the provider. */
export async function endUnsent(
  deps: GateDeps,
  draft: DraftRow,
  state: 'failed' | 'stale',
  error: Record<string, unknown> & { message: string },
): Promise<void> {
  const isStored = await storeOutcome(deps, draft, { state, error: { ...error, nothing_was_sent: true } });
  if (isStored) await deletePrepared(deps, draft);
}

/** Deletes what preparing left at the provider, such as an unsent mail draft. It may exist without a stored handle. */
export async function deletePrepared(deps: GateDeps, draft: DraftRow): Promise<void> {
  const { abandon } = deps.registry.get(draft.source, draft.action, draft.payload);
  if (!abandon) return;
  try {
    const { handle } = await deps.transactions.run(draft.workspace_id, 'read', (db) => findDraft(db, draft.id));
    await abandon(reach(deps, draft), handle, draft.id);
  } catch (err) {
    deps.log.warn({ err, draft_id: draft.id }, 'an unsent draft could not be deleted at the provider');
  }
}
