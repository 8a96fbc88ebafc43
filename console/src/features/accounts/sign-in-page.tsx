import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Mark } from '../../design/mark.tsx';
import { useTitle } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { MailLink } from './mail-link.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { signIn } from './requests.ts';
import { isSignInToken } from './sign-in-token.ts';

export type SignInAddress = {
  back?: string | undefined;
  workspace?: string | undefined;
  refused?: true | undefined;
};

/** Signs in with the one-time link of the address bar; only a click uses it up, so that a mail scanner cannot. */
export function SignInPage({ back = '/', workspace, refused }: SignInAddress) {
  useTitle('Sign in');
  const [token, forgetToken] = useToken();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ href: back, replace: true });
    },
    // A used link is worth nothing, so it leaves the address bar and the history here too.
    onError: () => {
      forgetToken();
      return navigate({ to: '/sign-in', search: { back, workspace }, replace: true });
    },
  });
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm animate-rise">
        <Mark className="size-11" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">Sign in to Thalamus</h1>
        <p className="mt-2 mb-7 leading-relaxed text-soft">
          One memory for all your agents, and one gate for everything they send.
        </p>
        {entering.isError && (
          <div className="mb-5">
            <Notice tone="stop">{messageOf(entering.error)}</Notice>
          </div>
        )}
        {token ? (
          <Button
            look="primary"
            size="large"
            className="w-full"
            isBusy={entering.isPending}
            onClick={() => entering.mutate(token)}
          >
            Sign in
          </Button>
        ) : (
          <>
            {refused && (
              <div className="mb-5">
                <Notice tone="stop">
                  Nobody was signed in by that account. Its mail address has to be the one you have here, and confirmed
                  there.
                </Notice>
              </div>
            )}
            <MailLink />
            <ProviderButtons back={back} workspace={workspace} />
            <HowToGetALink />
          </>
        )}
      </div>
    </main>
  );
}

function HowToGetALink() {
  return (
    <div className="space-y-3 border-t border-line pt-6 text-sm leading-relaxed text-soft">
      <p>You sign in with a one-time link. On the machine that runs the server:</p>
      <CopyBox text="npx thalamus sign-in" label="sign-in command" />
      <p>Open the link it prints. It works once, within 15 minutes.</p>
    </div>
  );
}

/** The token behind the `#`, which no server sees; a link pasted while the page is open counts too. */
function useToken(): [string | null, () => void] {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const listener = () => setToken(tokenInAddress());
    window.addEventListener('hashchange', listener);
    return () => window.removeEventListener('hashchange', listener);
  }, []);
  return [token, () => setToken(null)];
}

function tokenInAddress(): string | null {
  const hash = location.hash.slice(1);
  return isSignInToken(hash) ? hash : null;
}
