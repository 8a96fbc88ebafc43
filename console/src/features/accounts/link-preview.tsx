import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../design/states.tsx';
import { linkPreviewQuery, type LinkPreview as Preview } from './sign-in-requests.ts';

/** Who a sign-in link signs in, and where: a link from somebody else may be theirs. */
export function LinkPreview({ token }: { token: string }) {
  const { data: link } = useQuery(linkPreviewQuery(token));
  if (!link) return null;
  return (
    <div className="mb-5 space-y-4">
      {link.joins ? <Joining of={link} /> : <SigningIn of={link} />}
      {link.ends_session_of !== null && link.may_join_as === null && (
        <Notice tone="wait">
          You are signed in as {link.ends_session_of} in this browser. That session ends. Continue only if you asked for
          this link yourself.
        </Notice>
      )}
    </div>
  );
}

function SigningIn({ of: link }: { of: Preview }) {
  return (
    <p className="leading-relaxed">
      This link signs you in as <strong className="wrap-anywhere">{link.name ?? link.email}</strong>
      {link.name !== null && <span className="text-soft wrap-anywhere"> ({link.email})</span>}
      {link.workspace !== null && (
        <>
          {' '}
          to <strong className="wrap-anywhere">{link.workspace}</strong>
        </>
      )}
      .
    </p>
  );
}

function Joining({ of: link }: { of: Preview }) {
  return (
    <>
      <p className="leading-relaxed">
        <strong className="wrap-anywhere">{link.email}</strong> is invited to{' '}
        <strong className="wrap-anywhere">{link.workspace}</strong>.
      </p>
      <p className="text-sm leading-relaxed text-soft">
        {link.may_join_as === null
          ? 'Do you have an account on this server? Sign in first, then open this link again. Otherwise it creates a new account.'
          : `You are signed in as ${link.may_join_as}. Join with this account, or make a new one, which ends your session here.`}
      </p>
    </>
  );
}
