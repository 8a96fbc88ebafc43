import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

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

export type NewBrain = Input<'create_brain'>;

export function createBrain(brain: NewBrain): Promise<Output<'create_brain'>> {
  return call('create_brain', brain);
}

export type BrainChange = Input<'update_brain'>;

export function updateBrain(change: BrainChange): Promise<Output<'update_brain'>> {
  return call('update_brain', change);
}

export function deleteBrain(input: { brain_id: string; confirm: string }): Promise<Output<'delete_brain'>> {
  return call('delete_brain', input);
}
