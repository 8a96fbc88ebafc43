import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Brain = {
  id: string;
  name: string;
  description: string;
  routing_rules: string;
  parent_brain_id: string | null;
  is_personal: boolean;
  access_level: 'viewer' | 'editor' | 'admin' | 'owner';
  member_count: number;
};

/** Every brain the person may read. */
export const brainsQuery = queryOptions({
  queryKey: ['brains'],
  queryFn: ({ signal }) => call<{ brains: Brain[] }>('list_brains', {}, { signal }),
  select: (answer) => answer.brains,
  staleTime: 60_000,
});

export type NewBrain = { name: string; description?: string; parent_brain_id?: string };

export function createBrain(brain: NewBrain): Promise<{ brain_id: string; name: string }> {
  return call('create_brain', brain);
}
