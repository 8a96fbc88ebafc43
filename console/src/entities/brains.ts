import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../api/call.ts';

/** Roles on a brain. Each includes the rights of those before it. */
export const accessLevels = ['viewer', 'editor', 'admin', 'owner'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** Whether a role reaches as far as another one. */
export function isAtLeast(level: AccessLevel, needed: AccessLevel): boolean {
  return accessLevels.indexOf(level) >= accessLevels.indexOf(needed);
}

export type Brain = Output<'list_brains'>['brains'][number];

/** Every brain the person may read. */
export const brainsQuery = queryOptions({
  queryKey: ['brains'],
  queryFn: ({ signal }) => call('list_brains', {}, { signal }),
  select: (answer) => answer.brains,
  staleTime: 60_000,
});

/** Whether the person may change the contents of a brain. False until known. */
export function useMayWrite(brainId: string | undefined): boolean {
  const { data: brains } = useQuery(brainsQuery);
  const level = brains?.find(({ id }) => id === brainId)?.access_level;
  return level !== undefined && isAtLeast(level, 'editor');
}
