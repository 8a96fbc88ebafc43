import { useQuery } from '@tanstack/react-query';
import { ambiguousQuery, pendingQuery } from './requests.ts';

/** The number of drafts that need a person: pending ones, and those with an unknown outcome. */
export function useWaitingCount(): number {
  const { data: pending } = useQuery(pendingQuery);
  const { data: ambiguous = [] } = useQuery(ambiguousQuery);
  return (pending?.total ?? 0) + ambiguous.length;
}
