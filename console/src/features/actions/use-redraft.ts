import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { draftAgain } from './requests.ts';
import { passTyped } from './typed.ts';

/** Drafts again what was not sent, and goes there. */
export function useRedraft() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: draftAgain,
    onSuccess: ({ draft_id, kind, status, error }, former) => {
      if (kind === 'draft' && draft_id) passTyped(former.draft_id, { draft_id });
      if (kind === 'draft') tell('Drafted again', 'It waits for your yes as a new draft.');
      else if (status === 'confirmed') tell('Carried out', 'The policy lets it go without asking.');
      else tellFailure('It went without asking, and was not carried out', new Error(error ?? 'Its ledger tells more.'));
      if (draft_id) void navigate({ to: '/inbox/$draftId', params: { draftId: draft_id } });
    },
    onError: (error) => tellFailure('Not drafted again', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
}
