import { useQuery } from '@tanstack/react-query';
import { listAgents, type Agent } from './agents.ts';
import { connectedClientsQuery, keysQuery } from './requests.ts';

/** Every agent, whichever way it was let in; none until both lists have come. */
export function useAgents(now: Date): { agents: Agent[] | undefined; error: Error | null; retry: () => void } {
  const keys = useQuery(keysQuery);
  const clients = useQuery(connectedClientsQuery);
  return {
    agents: keys.data && clients.data && listAgents(keys.data, clients.data, now),
    error: keys.error ?? clients.error,
    retry: () => void Promise.all([keys.refetch(), clients.refetch()]),
  };
}
