import { useQuery } from '@tanstack/react-query';
import { listAgents, type Agent } from './agents.ts';
import { connectedClientsQuery, keysQuery } from './requests.ts';

/** Every agent, with a key or by OAuth; empty until both lists have loaded. */
export function useAgents(now: Date): { agents: Agent[] | undefined; error: Error | null; retry: () => void } {
  const keys = useQuery(keysQuery);
  const clients = useQuery(connectedClientsQuery);
  return {
    agents: keys.data && clients.data && listAgents(keys.data, clients.data, now),
    error: keys.error ?? clients.error,
    retry: () => void Promise.all([keys.refetch(), clients.refetch()]),
  };
}
