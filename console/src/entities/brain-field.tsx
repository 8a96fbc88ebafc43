import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { SelectField } from '../design/field.tsx';
import { buildBrainTree } from './brain-tree.ts';
import { brainsQuery, isAtLeast, type Brain } from './brains.ts';

type Props = ComponentProps<typeof SelectField> & {
  /** Omits read-only brains. */
  canWrite?: boolean;
  /** Omits brains that cannot have children. */
  isParent?: boolean;
};

/** A select of brains, indented like their tree. `children` are options before them. */
export function BrainField({ canWrite = false, isParent = false, children, ...rest }: Props) {
  const { data: brains } = useQuery(brainsQuery);
  const fits = ({ access_level, is_personal }: Brain) =>
    isParent ? !is_personal && isAtLeast(access_level, 'admin') : !canWrite || isAtLeast(access_level, 'editor');
  return (
    // A browser drops the value of an option that is not loaded yet. The key remounts the field.
    <SelectField key={brains ? 'known' : 'asking'} {...rest}>
      {children}
      {buildBrainTree((brains ?? []).filter(fits)).map(({ brain, depth }) => (
        <option key={brain.id} value={brain.id}>
          {'\u2003'.repeat(depth)}
          {brain.name}
        </option>
      ))}
    </SelectField>
  );
}
