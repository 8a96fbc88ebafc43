import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from './states.tsx';

/** The state of the query that fills a page. Every answer of `useQuery` fits. */
export type QueryState = {
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
};

type Props = {
  /** Absent: nothing has to be loaded. */
  query?: QueryState | undefined;
  /** What is loaded, for screen readers: “boards”. */
  noun: string;
  children: ReactNode;
};

/** Placeholder rows until a query has answered, and a retry button after an error. An error keeps the shown data. */
export function QueryResult({ query, noun, children }: Props) {
  if (!query) return children;
  return (
    <>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending ? !query.error && <Skeleton label={`Loading ${noun}`} /> : children}
    </>
  );
}
