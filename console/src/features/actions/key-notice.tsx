import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';

/** Whether the session was opened by a key, which does not count as a person. */
export function useIsSignedInByKey(): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.caller.is_human_surface === false;
}

/** Explains why only a person may decide this, and how to sign in as one. */
export function KeyNotice() {
  return (
    <Notice tone="wait">
      This needs a person, and you signed in with a link that a key made. Sign in by mail or by a provider, or with a
      link from <code className="font-mono">thalamus sign-in --owner</code> on the machine of the server, and decide it
      then.
    </Notice>
  );
}
