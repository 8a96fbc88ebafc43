import type { Outcome } from '#kernel/action';
import type { Db } from '#kernel/database';
import { released } from '#platform/lease';
import { mayFollow } from '../draft-states.ts';
import { reach, type GateDeps } from '../gate-deps.ts';
import { findDraft, lockDraft, type Change, type DraftRow } from '../store/drafts.ts';
import { noteOnDraft } from '../store/draft-leases.ts';
import { sceneOf, transition } from '../transition.ts';

/** `stale`: it was decided, and is no longer what it was about. */
type Ending = Outcome | (Omit<Outcome & { state: 'failed' }, 'state'> & { state: 'stale' });

/**
 * Ends a draft's life, or says that nobody knows; with its ledger row and its event, in one transaction. Only who holds
 * the lease may, but a provider's own "it happened" counts whoever brings it. Answers whether it took effect.
 */
export function storeOutcome(
  deps: GateDeps,
  draft: DraftRow,
  outcome: Ending,
  may: (db: Db, held: DraftRow) => Promise<boolean> = async () => true,
): Promise<boolean> {
  return deps.transactions.run(draft.workspace_id, 'write', async (db) => {
    const held = await lockDraft(db, draft.id);
    if (held.lease_token !== draft.lease_token && outcome.state !== 'confirmed') return false;
    if (outcome.state === 'ambiguous' && held.status === 'ambiguous') {
      return noteOnDraft(db, held, { error: { message: outcome.reason }, ...released });
    }
    if (!mayFollow(held.status, outcome.state) || !(await may(db, held))) return false;
    await recordOutcome(deps, db, held, outcome);
    return true;
  });
}

/** Ends a draft that was not sent, and then clears away what preparing it left at the provider, if that can be done. */
export async function storeNotSent(
  deps: GateDeps,
  draft: DraftRow,
  error: Record<string, unknown> & { message: string },
): Promise<void> {
  if (await storeOutcome(deps, draft, { state: 'failed', error })) await clearAway(deps, draft);
}

/** Takes back what preparing left at the provider, when it can be. */
export async function clearAway(deps: GateDeps, draft: DraftRow): Promise<void> {
  const action = deps.registry.get(draft.source, draft.action);
  try {
    const { handle } = await deps.transactions.run(draft.workspace_id, 'read', (db) => findDraft(db, draft.id));
    await action.abandon?.(reach(deps, draft), handle, draft.id);
  } catch (err) {
    deps.log.warn({ err, draft_id: draft.id }, 'an unsent draft could not be cleared away at the provider');
  }
}

/** Writes an outcome on a draft that is held: its state, its ledger row, its event. */
export async function recordOutcome(deps: GateDeps, db: Db, held: DraftRow, outcome: Ending): Promise<void> {
  await transition(sceneOf(deps, db, held.workspace_id), held, { to: outcome.state, ...wordsOf(outcome) });
}

/** The handle that was stored before sending began. */
export async function handleOf({ transactions }: GateDeps, draft: DraftRow): Promise<Record<string, unknown>> {
  const stored = await transactions.run(draft.workspace_id, 'read', (db) => findDraft(db, draft.id));
  if (!stored.handle) throw new Error('a draft whose sending began has no handle');
  return stored.handle;
}

function wordsOf(outcome: Ending): { change: Change; detail: Record<string, unknown> } {
  if (outcome.state === 'confirmed')
    return { change: { result: outcome.result, error: null }, detail: { result: outcome.result } };
  const error = outcome.state === 'ambiguous' ? { message: outcome.reason } : outcome.error;
  return { change: { error }, detail: error };
}
