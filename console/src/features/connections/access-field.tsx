import { SelectField } from '../../design/field.tsx';

/** The access of an account: reading, or also writing. */
export type Access = 'read' | 'act';

/** Whether the consent page also asks for what is needed to write. */
export function AccessField({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <SelectField
      label="Access"
      value={access}
      onChange={(event) => onChange(event.target.value === 'read' ? 'read' : 'act')}
    >
      <option value="act">Read · write with approval</option>
      <option value="read">Read-only</option>
    </SelectField>
  );
}
