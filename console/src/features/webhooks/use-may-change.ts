import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../accounts/requests.ts';

/** Whether the person may create and change connectors; false until that is known. */
export function useMayChange(): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.scopes.includes('connectors:write') ?? false;
}
