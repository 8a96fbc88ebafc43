import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { undoAction } from './requests.ts';

/** Takes back what a draft did, and says what became of that. */
export function useUndo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: undoAction,
    onSuccess: () => tell('Taken back'),
    onError: (error) => tellFailure('Not taken back', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
}
