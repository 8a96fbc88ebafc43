import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { SelectField } from '../../design/field.tsx';
import { treeOf } from './brain-tree.ts';
import { brainsQuery, isAtLeast, type Brain } from './requests.ts';

type Props = ComponentProps<typeof SelectField> & {
  /** Leaves out those that are read only. */
  canWrite?: boolean;
  /** Leaves out those that nothing can be put below. */
  isParent?: boolean;
};

/** A choice among the brains, indented like their tree; `children` are options that stand before them. */
export function BrainField({ canWrite = false, isParent = false, children, ...rest }: Props) {
  const { data: brains } = useQuery(brainsQuery);
  const fits = ({ access_level, is_personal }: Brain) =>
    isParent ? !is_personal && isAtLeast(access_level, 'admin') : !canWrite || isAtLeast(access_level, 'editor');
  return (
    // A browser forgets the choice of an option that is not there yet: begun anew, the field finds it.
    <SelectField key={brains ? 'known' : 'asking'} {...rest}>
      {children}
      {treeOf((brains ?? []).filter(fits)).map(({ brain, depth }) => (
        <option key={brain.id} value={brain.id}>
          {'\u2003'.repeat(depth)}
          {brain.name}
        </option>
      ))}
    </SelectField>
  );
}
