// The only place that changes a draft's state: its row, its ledger row and its event belong together.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Event } from '#kernel/event';
import type { DraftState } from './draft-states.ts';
import { draftDecided } from './events.ts';
import type { GateDeps } from './gate-deps.ts';
import { moveDraft, type Change, type DraftRow } from './store/drafts.ts';
import { appendToLedger, type LedgerStep } from './store/ledger.ts';

/** The transaction that changes a draft, its time, and the function that emits events. */
export type TransitionScene = { db: Db; at: Date; emit(event: Event): Promise<void> };

type Move = {
  to: DraftState;
  /** Further fields to store on the draft. */
  change?: Change;
  /** The entry for the ledger. */
  detail?: Record<string, unknown>;
  /** The name in the ledger, where it differs from the state. */
  step?: LedgerStep;
};

/** Moves a locked draft to another state. Throws when the table of states forbids it. */
export async function changeDraftState(
  { db, at, emit }: TransitionScene,
  lockedDraft: Pick<DraftRow, 'id' | 'status' | 'workspace_id' | 'person_id'>,
  { to, change = {}, detail = {}, step = to as LedgerStep }: Move,
): Promise<void> {
  await moveDraft(db, lockedDraft, to, change);
  await appendToLedger(db, lockedDraft, step, detail, at);
  await emit(draftDecided({ draft_id: lockedDraft.id, status: to }, { personId: lockedDraft.person_id }));
}

/** The scene of a call. */
export function createCallScene({ db, now, emit }: Context): TransitionScene {
  return { db, at: now, emit };
}

/** The scene of work without a call. */
export function createWorkScene(
  { emitEvent, newId, now }: Pick<GateDeps, 'emitEvent' | 'newId' | 'now'>,
  db: Db,
  workspaceId: string,
): TransitionScene {
  const at = now();
  return { db, at, emit: (event) => emitEvent(db, event, { id: newId(), workspaceId, at }) };
}
