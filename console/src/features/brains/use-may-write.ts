import { useQuery } from '@tanstack/react-query';
import { brainsQuery, isAtLeast } from './requests.ts';

/** Whether the person may change the contents of a brain. False until known. */
export function useMayWrite(brainId: string | undefined): boolean {
  const { data: brains } = useQuery(brainsQuery);
  const level = brains?.find(({ id }) => id === brainId)?.access_level;
  return level !== undefined && isAtLeast(level, 'editor');
}
