import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { undoAction } from './requests.ts';

/** Undoes a draft, and shows the result. */
export function useUndo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: undoAction,
    onSuccess: () => tell('Undone'),
    onError: (error) => tellFailure('Not undone', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
}

/** Undoes several drafts, last first, and shows how many. */
export function useUndoAll() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (draftIds: string[]) => {
      const faults: unknown[] = [];
      for (const draftId of draftIds.toReversed()) await undoAction(draftId).catch((error) => faults.push(error));
      return { undone: draftIds.length - faults.length, faults };
    },
    onSuccess: ({ undone, faults }) => {
      if (faults.length) tellFailure(`${undone} undone, ${faults.length} not`, faults[0]);
      else tell(`${undone} undone`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
}
