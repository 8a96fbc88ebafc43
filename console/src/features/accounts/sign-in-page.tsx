import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { forgetShownWorkspace } from '../../api/shown-workspace.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Mark } from '../../design/mark.tsx';
import { useTitle } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useCall } from '../../design/use-call.ts';
import { LinkPreview } from './link-preview.tsx';
import { MailLink } from './mail-link.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { buildSignInMethodsQuery } from './requests.ts';
import {
  finishSignIn,
  joinByLink,
  linkPreviewQuery,
  submitCode,
  knowsPasskeys,
  signInByLink,
  signInByPasskey,
  signInByPassword,
  type Admission,
} from './sign-in-requests.ts';
import { isProofCode, isSignInToken } from './sign-in-token.ts';

export type SignInAddress = {
  back?: string | undefined;
  workspace?: string | undefined;
  refused?: true | undefined;
};

/** The sign-in page. Only a click uses up a one-time link, so that mail scanners cannot. */
export function SignInPage({ back = '/', workspace, refused }: SignInAddress) {
  useTitle('Sign in');
  const [token, forgetToken] = useToken();
  const [asksForCode, askForCode] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const entering = useCall((enter: () => Promise<Admission>) => enter(), {
    onSuccess: async (admission) => {
      if (!admission.ok) return askForCode(true);
      queryClient.clear();
      forgetShownWorkspace();
      if (back.startsWith('/oauth/')) location.assign(back); // a page of the server, where a client waits for permission
      else await navigate({ href: back, replace: true });
    },
    // A used link is removed from the address bar and the history.
    onError: () => {
      forgetToken();
      return navigate({ to: '/sign-in', search: { back, workspace }, replace: true });
    },
  });
  const isBusy = entering.isBusy;
  useProofCode((code) => entering.call(() => finishSignIn(code)));
  const isReturning = isProofCode(location.hash.slice(1)) && !entering.error;
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm animate-rise">
        <Mark className="size-11" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">Sign in to Thalamus</h1>
        <p className="mt-2 mb-7 leading-relaxed text-soft">
          One memory for all your agents, and one gate for everything they send.
        </p>
        {entering.error && (
          <div className="mb-5">
            <Notice tone="stop">{formatErrorMessage(entering.error)}</Notice>
          </div>
        )}
        {asksForCode && <CodeForm isBusy={isBusy} onGive={(code) => entering.call(() => submitCode(code))} />}
        {!asksForCode && token && <ByLink token={token} isBusy={isBusy} onEnter={entering.call} />}
        {isReturning && (
          <p role="status" className="text-soft">
            Signing you in…
          </p>
        )}
        {!asksForCode && !token && !isReturning && (
          <Ways back={back} workspace={workspace} refused={refused} isBusy={isBusy} onEnter={entering.call} />
        )}
      </div>
    </main>
  );
}

type ByLinkProps = { token: string; isBusy: boolean; onEnter: (enter: () => Promise<Admission>) => void };

/** Who the link signs in, and the button that uses it. */
function ByLink({ token, isBusy, onEnter }: ByLinkProps) {
  const { data: link } = useQuery(linkPreviewQuery(token));
  const joiner = link?.may_join_as ?? null;
  return (
    <>
      <LinkPreview token={token} />
      <div className="space-y-3">
        {joiner !== null && (
          <Button
            look="primary"
            size="large"
            className="w-full"
            isBusy={isBusy}
            onClick={() => onEnter(() => joinByLink(token))}
          >
            Join as {joiner}
          </Button>
        )}
        <Button
          look={joiner === null ? 'primary' : 'plain'}
          size="large"
          className="w-full"
          isBusy={isBusy}
          onClick={() => onEnter(() => signInByLink(token))}
        >
          {link?.joins ? 'Join with a new account' : 'Sign in'}
        </Button>
      </div>
    </>
  );
}

type WaysProps = SignInAddress & { back: string; isBusy: boolean; onEnter: (enter: () => Promise<Admission>) => void };

/** All ways to sign in without a link. */
function Ways({ back, workspace, refused, isBusy, onEnter }: WaysProps) {
  return (
    <>
      {refused && <Refused />}
      {knowsPasskeys && (
        <Button
          size="large"
          className="mb-7 w-full"
          isBusy={isBusy}
          icon={<KeyRound className="size-4" aria-hidden />}
          onClick={() => onEnter(() => signInByPasskey({ workspace }))}
        >
          Sign in with a passkey
        </Button>
      )}
      <PasswordForm isBusy={isBusy} onGive={(given) => onEnter(() => signInByPassword({ ...given, workspace }))} />
      <MailLink />
      <ProviderButtons back={back} workspace={workspace} />
      <SignUpLink />
      <HowToGetALink />
    </>
  );
}

function SignUpLink() {
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  if (!methods?.sign_up) return null;
  return (
    <p className="mb-6 text-sm text-soft">
      New here?{' '}
      <Link to="/sign-up" className="font-medium underline decoration-edge underline-offset-4 hover:decoration-ink">
        Sign up
      </Link>
    </p>
  );
}

function Refused() {
  return (
    <div className="mb-5">
      <Notice tone="stop">
        That account isn’t linked to anyone here. Sign in another way and link it in My account, or use an account with
        a confirmed address that is known here.
      </Notice>
    </div>
  );
}

function HowToGetALink() {
  return (
    <div className="space-y-3 border-t border-line pt-6 text-sm leading-relaxed text-soft">
      <p>Can’t sign in? Get a one-time link on the machine that runs the server:</p>
      <CopyBox text="npx thalamus sign-in" label="sign-in command" />
      <p>Open the link it prints. It works once, within 15 minutes.</p>
    </div>
  );
}

/** Reads the code from a provider's sign-in, once. */
function useProofCode(take: (code: string) => void): void {
  const isTaken = useRef(false);
  useEffect(() => {
    const hash = location.hash.slice(1);
    if (isTaken.current || !isProofCode(hash)) return;
    isTaken.current = true;
    take(hash);
  });
}

/** The token after the `#`, which no server sees; a link pasted while the page is open counts, too. */
function useToken(): [string | null, () => void] {
  const [token, setToken] = useState(parseAddressToken);
  useEffect(() => {
    const listener = () => setToken(parseAddressToken());
    window.addEventListener('hashchange', listener);
    return () => window.removeEventListener('hashchange', listener);
  }, []);
  return [token, () => setToken(null)];
}

function parseAddressToken(): string | null {
  const hash = location.hash.slice(1);
  return isSignInToken(hash) ? hash : null;
}
