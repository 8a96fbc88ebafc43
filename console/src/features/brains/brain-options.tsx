import { useQuery } from '@tanstack/react-query';
import { treeOf } from './brain-tree.ts';
import { brainsQuery } from './requests.ts';

/** The brains as options of a select, indented like their tree; `canWrite` leaves out those that are read only. */
export function BrainOptions({ canWrite = false }: { canWrite?: boolean }) {
  const { data: brains = [] } = useQuery(brainsQuery);
  return treeOf(brains.filter((brain) => !canWrite || brain.access_level !== 'viewer')).map(({ brain, depth }) => (
    <option key={brain.id} value={brain.id}>
      {'\u2003'.repeat(depth)}
      {brain.name}
    </option>
  ));
}
