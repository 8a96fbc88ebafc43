import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { tellFailure } from '../design/toasts.tsx';
import { forgetSessionProof } from '../api/session-proof.ts';
import { forgetShownWorkspace } from '../api/shown-workspace.ts';
import { signOut } from '../features/accounts/requests.ts';
import { forgetAllTyped } from '../features/actions/unsaved-edits.ts';

/** Ends the session and forgets everything that was shown. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      forgetAllTyped();
      forgetSessionProof();
      await navigate({ to: '/sign-in', search: { back: undefined } });
      queryClient.clear();
      forgetShownWorkspace();
    },
    onError: (error) => tellFailure('You are still signed in', error),
  });
  return () => leaving.mutate();
}
