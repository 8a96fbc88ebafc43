import { SelectField } from '../../design/field.tsx';

/** What an account is linked for. */
export type Access = 'read' | 'act';

/** Whether the consent page also asks for what is needed to write. */
export function AccessField({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <SelectField
      label="What it may do"
      value={access}
      onChange={(event) => onChange(event.target.value === 'read' ? 'read' : 'act')}
    >
      <option value="act">Read, and write as the policy allows</option>
      <option value="read">Only read</option>
    </SelectField>
  );
}
