import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mark } from '../../design/mark.tsx';
import { useTitle } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { MailLink } from './mail-link.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { buildSignInMethodsQuery, type SignInMethods } from './requests.ts';

/** The page where somebody without an invitation creates an account and a workspace, if this server allows it. */
export function SignUpPage() {
  useTitle('Sign up');
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm animate-rise">
        <Mark className="size-11" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">Sign up for Thalamus</h1>
        {methods && <p className="mt-2 mb-7 leading-relaxed text-soft">{describeSignUpPolicy(methods)}</p>}
        {methods?.sign_up && (
          <>
            <MailLink />
            <ProviderButtons back="/" />
            {!methods.mail && !methods.providers.length && (
              <div className="mb-7">
                <Notice tone="wait">This server cannot send mail yet. Ask its operator.</Notice>
              </div>
            )}
          </>
        )}
        <p className="border-t border-line pt-6 text-sm text-soft">
          Already have an account?{' '}
          <Link to="/sign-in" className="font-medium underline decoration-edge underline-offset-4 hover:decoration-ink">
            Sign in
          </Link>
        </p>
      </div>
    </main>
  );
}

function describeSignUpPolicy({ sign_up, sign_up_domains }: SignInMethods): string {
  if (!sign_up) return 'Sign-up is closed on this server. Ask a member to invite you.';
  if (!sign_up_domains) return 'You get a workspace of your own.';
  return `People with an address at ${new Intl.ListFormat('en', { type: 'disjunction' }).format(sign_up_domains)} get a workspace of their own.`;
}
