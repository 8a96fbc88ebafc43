import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { invitePerson } from './people-requests.ts';
import { givenRoles } from './role-words.ts';

const levels = [
  { level: 'viewer', label: 'Viewer: can read' },
  { level: 'editor', label: 'Editor: can read and write' },
  { level: 'admin', label: 'Admin: can also manage members and settings' },
] as const;

/** Invites somebody by their mail address, with a role in the workspace and, if wanted, on a brain. */
export function InvitePersonDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite a person"
      description="People without an account join when they first sign in."
      act="Invite"
      run={(fields) => invitePerson(parseInvitation(fields))}
      refreshes={['people']}
      renderAnswer={(invitation) => <InvitationLink invited={invitation} onClose={onClose} />}
    >
      <TextField
        label="Mail address"
        name="email"
        type="email"
        required
        autoFocus
        maxLength={320}
        placeholder="name@company.com"
      />
      <SelectField label="Role" name="role" defaultValue="member">
        {givenRoles.map(({ role, label }) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </SelectField>
      <BrainAccessFields />
    </FormDialog>
  );
}

function BrainAccessFields() {
  const [brainId, setBrainId] = useState('');
  return (
    <>
      <BrainField
        isParent
        label="Brain"
        name="brain"
        value={brainId}
        onChange={(event) => setBrainId(event.target.value)}
      >
        <option value="">None</option>
      </BrainField>
      {brainId && (
        <SelectField label="Role on that brain" name="access_level" defaultValue="editor">
          {levels.map(({ level, label }) => (
            <option key={level} value={level}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

function parseInvitation({ readText }: FormFields) {
  const role = givenRoles.find((each) => each.role === readText('role'))?.role ?? 'member';
  const access_level = levels.find(({ level }) => level === readText('access_level'))?.level ?? 'viewer';
  const brain_id = readText('brain');
  return { email: readText('email'), role, ...(brain_id && { brain_id, access_level }) };
}
