import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tell, tellFailure, tellUndoable } from '../../design/toasts.tsx';
import { dismissContradiction, undoContradictionDismissal } from './curation-requests.ts';

/** Shows a hidden pair, or a hidden kind of a brain, again. */
export function useReopeningContradiction() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: undoContradictionDismissal,
    onSuccess: () => tell('Shown again', 'It counts as a contradiction again.'),
    onError: (error) => tellFailure('Still hidden', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['memory'] }),
  });
}

/** Marks two contradicting memories as both true, or hides every contradiction of their kind. Both can be undone. */
export function useDismissingContradiction() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['memory'] });
  const reopening = useMutation({
    mutationFn: undoContradictionDismissal,
    onError: (error) => tellFailure('Not undone', error),
    onSettled: refresh,
  });
  return useMutation({
    mutationFn: dismissContradiction,
    onSuccess: (_answer, pair) =>
      tellUndoable(
        pair.with_kind ? 'Kind hidden' : 'Both kept',
        pair.with_kind
          ? 'Contradictions of this kind are no longer shown in this brain.'
          : 'They are no longer shown as a contradiction.',
        () => reopening.mutate(pair),
      ),
    onError: (error) => tellFailure('Not saved', error),
    onSettled: refresh,
  });
}
