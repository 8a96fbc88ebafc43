import { notifyUndoable } from '../../design/toasts.tsx';
import { dismissContradiction, undoContradictionDismissal } from './curation-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Shows a hidden pair, or a hidden kind of a brain, again. */
export function useReopeningContradiction() {
  return useCall(undoContradictionDismissal, {
    refreshes: ['memory'],
    success: ['Shown again', 'It counts as a contradiction again.'],
    failure: 'Still hidden',
  });
}

/** Marks two contradicting memories as both true, or hides every contradiction of their kind. Both can be undone. */
export function useDismissingContradiction() {
  const reopening = useCall(undoContradictionDismissal, { refreshes: ['memory'], failure: 'Not undone' });
  return useCall(dismissContradiction, {
    refreshes: ['memory'],
    onSuccess: (_answer, pair) =>
      notifyUndoable(
        pair.with_kind ? 'Kind hidden' : 'Both kept',
        pair.with_kind
          ? 'Contradictions of this kind are no longer shown in this brain.'
          : 'They are no longer shown as a contradiction.',
        () => reopening.call(pair),
      ),
    failure: 'Not saved',
  });
}
