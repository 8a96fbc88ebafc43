import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../design/field.tsx';
import { meQuery } from '../../entities/me.ts';
import type { Owner } from './requests.ts';

type Props = { owner: Owner; onChange: (owner: Owner) => void };

/** The owner of a new account. Only administrators can choose. */
export function OwnerField({ owner, onChange }: Props) {
  const { data: me } = useQuery(meQuery);
  if (!me || me.person.role === 'member') return null;
  return (
    <SelectField
      label="Available to"
      value={owner}
      onChange={(event) => onChange(event.target.value === 'workspace' ? 'workspace' : 'person')}
    >
      <option value="person">Only you</option>
      <option value="workspace">Everyone in this workspace</option>
    </SelectField>
  );
}
