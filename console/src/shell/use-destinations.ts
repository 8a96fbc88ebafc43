import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../features/accounts/requests.ts';
import { groupsFor, type Destination, type DestinationGroup } from './destinations.ts';

/** The pages by group, for the person who is signed in. */
export function useDestinationGroups(): readonly DestinationGroup[] {
  const { data: me } = useQuery(meQuery);
  return groupsFor(me?.scopes ?? []);
}

/** The pages in one list, for the person who is signed in. */
export function useDestinations(): readonly Destination[] {
  return useDestinationGroups().flatMap(({ destinations }) => destinations);
}
