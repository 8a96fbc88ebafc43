import { useQuery } from '@tanstack/react-query';
import { treeOf } from './brain-tree.ts';
import { brainsQuery, isAtLeast, type Brain } from './requests.ts';

type Props = {
  /** Leaves out those that are read only. */
  canWrite?: boolean;
  /** Leaves out those that nothing can be put below. */
  isParent?: boolean;
};

/** The brains as options of a select, indented like their tree. */
export function BrainOptions({ canWrite = false, isParent = false }: Props) {
  const { data: brains = [] } = useQuery(brainsQuery);
  const fits = ({ access_level, is_personal }: Brain) =>
    isParent ? !is_personal && isAtLeast(access_level, 'admin') : !canWrite || isAtLeast(access_level, 'editor');
  return treeOf(brains.filter(fits)).map(({ brain, depth }) => (
    <option key={brain.id} value={brain.id}>
      {'\u2003'.repeat(depth)}
      {brain.name}
    </option>
  ));
}
