import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api-error.ts';
import { startOnline } from './online.ts';

/** The cache of answers. `onSignedOut` is told when the server no longer knows the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  startOnline();
  const onError = (error: unknown) => void (isSignedOut(error) && onSignedOut());
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: isWorthRetrying },
      // Without a connection it fails at once: kept until there is one, it would be lost with the tab and look done.
      mutations: { networkMode: 'always' },
    },
  });
}

/** What the server refused is not asked again; what did not arrive is, twice. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.problem.status : 0;
  return failures < 2 && (status === 0 || status === 503);
}
