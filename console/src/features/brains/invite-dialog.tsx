import { Check } from 'lucide-react';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { AccessFields, parseAccess } from './access-fields.tsx';
import { inviteMember, type MemberInvitation } from './member-requests.ts';
import type { Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

/** Nobody is invited as an owner. */
const levels = ['viewer', 'editor', 'admin'] as const;

type Props = { brain: Brain; isOpen: boolean; onClose: () => void };

/** Gives somebody a role on a brain by their mail address. */
export function InviteDialog({ brain, isOpen, onClose }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Invite to ${brain.name}`}
      description="People without an account join when they first sign in."
    >
      <InviteForm brain={brain} onClose={onClose} />
    </Dialog>
  );
}

function InviteForm({ brain, onClose }: { brain: Brain; onClose: () => void }) {
  const inviting = useCall(inviteMember, { refreshes: ['brains'] });
  if (inviting.answer) return <Result invited={inviting.answer} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    inviting.call({ brain_id: brain.id, email: String(form.get('email') ?? '').trim(), ...parseAccess(form, levels) });
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
      <AccessFields levels={levels} level="editor" cascades />
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={inviting.isBusy}>
          Invite
        </Button>
      </div>
    </form>
  );
}

function Result({ invited, onClose }: { invited: MemberInvitation; onClose: () => void }) {
  const { email, message, join_link: link } = invited;
  return (
    <div className="space-y-4">
      <Notice tone="go" icon={<Check />}>
        <p className="font-medium">{email}</p>
        <p>{message}</p>
      </Notice>
      {link && (
        <div>
          <CopyBox text={link.url} label="invitation link" />
          <p className="mt-2 text-[13px] text-faint">
            Send this link to {email}. It works once, until {formatExactMoment(link.expires_at)}.
          </p>
        </div>
      )}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
