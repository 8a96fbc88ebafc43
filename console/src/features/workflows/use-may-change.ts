import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import type { Workflow } from './requests.ts';

/** Whether the person may change a workflow. A closed one changes no more. */
export function useMayChange({ brain_id, state }: Pick<Workflow, 'brain_id' | 'state'>): boolean {
  const mayWriteBrain = useMayWrite(brain_id);
  return useHasScope('workflows:write') && mayWriteBrain && state !== 'closed';
}
