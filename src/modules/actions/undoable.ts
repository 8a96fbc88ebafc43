import type { Action } from '#kernel/action';
import type { DraftRow } from './store/drafts.ts';

/** Until when the effect of a draft can be undone; null when it had none, or its provider cannot undo it. */
export function findUndoDeadline(draft: DraftRow, { undo }: Action): Date | null {
  if (!undo || draft.status !== 'confirmed' || !draft.handle || !draft.settled_at) return null;
  if (draft.result?.['said_by'] !== undefined) return null; // a person confirmed that it happened; the result is unknown
  const done = { handle: draft.handle, result: draft.result ?? {} };
  if (undo.applies && !undo.applies(draft.payload, done)) return null; // nothing changed
  return new Date(draft.settled_at.getTime() + undo.forMinutes * 60_000);
}
