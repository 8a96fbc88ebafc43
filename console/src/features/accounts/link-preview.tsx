import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../design/states.tsx';
import { linkPreviewQuery } from './sign-in-requests.ts';

/** Whom a sign-in link signs in, and where: a link that somebody else sent may be theirs. */
export function LinkPreview({ token }: { token: string }) {
  const { data: link } = useQuery(linkPreviewQuery(token));
  if (!link) return null;
  return (
    <div className="mb-5 space-y-4">
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
      {link.ends_session_of !== null && (
        <Notice tone="wait">
          You are signed in as {link.ends_session_of} in this browser. That session ends. Go on only if you asked for
          this link yourself.
        </Notice>
      )}
    </div>
  );
}
