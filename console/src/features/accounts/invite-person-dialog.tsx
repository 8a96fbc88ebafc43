import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { invitePerson } from './people-requests.ts';
import { givenRoles } from './role-words.ts';
import { useCall } from '../../design/use-call.ts';

/** Invites somebody by their mail address, with a role in the workspace and, if wanted, on a brain. */
export function InvitePersonDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite a person"
      description="People without an account join when they first sign in."
    >
      <InviteForm onClose={onClose} />
    </Dialog>
  );
}

const levels = [
  { level: 'viewer', label: 'Viewer: can read' },
  { level: 'editor', label: 'Editor: can read and write' },
  { level: 'admin', label: 'Admin: can also manage members and settings' },
] as const;

function InviteForm({ onClose }: { onClose: () => void }) {
  const [brainId, setBrainId] = useState('');
  const inviting = useCall(invitePerson, { refreshes: ['people'] });
  if (inviting.answer) return <InvitationLink invited={inviting.answer} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const role = givenRoles.find((each) => each.role === form.get('role'))?.role ?? 'member';
    const level = levels.find((each) => each.level === form.get('access_level'))?.level ?? 'viewer';
    inviting.call({
      email: String(form.get('email') ?? '').trim(),
      role,
      ...(brainId && { brain_id: brainId, access_level: level }),
    });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {inviting.error && <Notice tone="stop">{formatErrorMessage(inviting.error)}</Notice>}
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
      <BrainField isParent label="Brain" value={brainId} onChange={(event) => setBrainId(event.target.value)}>
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
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={inviting.isBusy}>
          Invite
        </Button>
      </div>
    </form>
  );
}
