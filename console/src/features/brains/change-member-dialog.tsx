import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { AccessFields, parseAccess } from './access-fields.tsx';
import { changeMemberAccess, type Member } from './member-requests.ts';
import { accessLevels, type Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { brain: Brain; member: Member | null; onClose: () => void };

/** Changes the role of a member or an invitation. */
export function ChangeMemberDialog({ brain, member, onClose }: Props) {
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={member?.name ?? member?.email ?? ''}>
      {member && <ChangeForm brain={brain} member={member} onClose={onClose} />}
    </Dialog>
  );
}

function ChangeForm({ brain, member, onClose }: { brain: Brain; member: Member; onClose: () => void }) {
  const changing = useCall(changeMemberAccess, { refreshes: ['brains'], success: 'Saved', onSuccess: onClose });
  const mayHandOn = brain.access_level === 'owner' && member.status === 'member';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const access = parseAccess(new FormData(event.currentTarget), accessLevels);
    changing.call({ brain_id: brain.id, user_id: member.user_id, ...access });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {changing.error && <Notice tone="stop">{formatErrorMessage(changing.error)}</Notice>}
      <AccessFields
        levels={accessLevels.filter((level) => level !== 'owner' || mayHandOn)}
        level={member.access_level}
        cascades={member.cascades}
      />
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={changing.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
