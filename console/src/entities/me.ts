import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../api/call.ts';
import { showWorkspace } from '../api/shown-workspace.ts';

export type Me = Output<'who_am_i'>;

/** A permission of the person who is signed in. */
export type Scope = Me['scopes'][number];

/** The signed-in person. */
export const meQuery = queryOptions({
  queryKey: ['accounts', 'me'],
  async queryFn({ signal }) {
    const me = await call('who_am_i', {}, { signal });
    showWorkspace(me.workspace.id);
    return me;
  },
  staleTime: 5 * 60_000,
});

/** Whether the person who is signed in has a permission. False until known. */
export function useHasScope(scope: Scope): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.scopes.includes(scope) ?? false;
}
