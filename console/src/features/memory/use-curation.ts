import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tell, tellFailure, tellUndoable } from '../../design/toasts.tsx';
import {
  archiveMemory,
  dismissDuplicate,
  mergeMemories,
  restoreMemory,
  undoDismissal,
  undoMerge,
} from './curation-requests.ts';

/** Changes of existing memories. Those that can be undone offer it. */
export function useCuration() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['memory'] });
  const restoring = useMutation({
    mutationFn: restoreMemory,
    onSuccess: () => tell('Restored', 'Agents find it again.'),
    onError: (error) => tellFailure('Not restored', error),
    onSettled: refresh,
  });
  const unmerging = useMutation({
    mutationFn: undoMerge,
    onSuccess: () => tell('Merge undone', 'Both memories are as before.'),
    onError: (error) => tellFailure('The merge was not undone', error),
    onSettled: refresh,
  });
  const archiving = useMutation({
    mutationFn: archiveMemory,
    onSuccess: ({ id }) =>
      tellUndoable('Archived', 'Agents no longer find it. You can restore it.', () => restoring.mutate(id)),
    onError: (error) => tellFailure('Not archived', error),
    onSettled: refresh,
  });
  const merging = useMutation({
    mutationFn: mergeMemories,
    onSuccess: ({ merge_id }) =>
      tellUndoable('Merged', 'One memory is kept, with the links of both.', () => unmerging.mutate(merge_id)),
    onError: (error) => tellFailure('Not merged', error),
    onSettled: refresh,
  });
  const relisting = useMutation({
    mutationFn: undoDismissal,
    onError: (error) => tellFailure('Not undone', error),
    onSettled: refresh,
  });
  const dismissing = useMutation({
    mutationFn: dismissDuplicate,
    onSuccess: (_answer, pair) =>
      tellUndoable('Both kept', 'They are no longer shown as duplicates.', () => relisting.mutate(pair)),
    onError: (error) => tellFailure('Not saved', error),
    onSettled: refresh,
  });
  return { archiving, restoring, merging, unmerging, dismissing };
}
