import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetSessionProof } from '../api/session-proof.ts';
import { forgetShownWorkspace } from '../api/shown-workspace.ts';
import { signOut } from '../features/accounts/requests.ts';
import { forgetAllTyped } from '../features/actions/unsaved-edits.ts';
import { useCall } from '../design/use-call.ts';

/** Ends the session and forgets everything that was shown. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const leaving = useCall(signOut, {
    onSuccess: async () => {
      forgetAllTyped();
      forgetSessionProof();
      await navigate({ to: '/sign-in', search: { back: undefined } });
      queryClient.clear();
      forgetShownWorkspace();
    },
    failure: 'You are still signed in',
  });
  return () => leaving.call();
}
