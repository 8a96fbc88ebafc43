import { useQuery } from '@tanstack/react-query';
import { ambiguousQuery, pendingQuery } from './requests.ts';

/** How many drafts need a person: those that wait for a yes, and those of which somebody has to say whether they were sent. */
export function useWaitingCount(): number {
  const { data: pending } = useQuery(pendingQuery);
  const { data: ambiguous = [] } = useQuery(ambiguousQuery);
  return (pending?.total ?? 0) + ambiguous.length;
}
