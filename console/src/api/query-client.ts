import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api-error.ts';
import { startOnline } from './online.ts';

/** The query cache. `onSignedOut` is called when the server no longer knows the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  startOnline();
  const onError = (error: unknown) => void (isSignedOut(error) && onSignedOut());
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: isWorthRetrying },
      // Offline mutations fail at once: a paused one would look done and be lost with the tab.
      mutations: { networkMode: 'always' },
    },
  });
}

/** Errors of the server are not retried. Network errors are retried twice. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.problem.status : 0;
  return failures < 2 && (status === 0 || status === 503);
}
