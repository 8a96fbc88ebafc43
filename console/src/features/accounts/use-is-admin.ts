import { useQuery } from '@tanstack/react-query';
import { meQuery } from './requests.ts';

/** Whether the person who is signed in manages the workspace. */
export function useIsAdmin(): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.scopes.includes('workspace:admin') ?? false;
}
