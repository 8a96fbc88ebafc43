import type { DraftState } from '../draft-states.ts';
import type { DraftRow } from '../store/drafts.ts';

const neverSent: readonly DraftState[] = ['pending', 'discarded', 'expired', 'stale'];

/** Whether surely nothing of a draft was sent. False of what failed: nobody knows, or somebody's word is all there is. */
export function nothingWasSent({ status, error }: Pick<DraftRow, 'status' | 'error'>): boolean {
  return neverSent.includes(status) || (status === 'failed' && error?.['nothing_was_sent'] === true);
}
