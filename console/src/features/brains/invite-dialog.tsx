import { Check } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { AccessFields, parseAccess } from './access-fields.tsx';
import { inviteMember, type MemberInvitation } from './member-requests.ts';
import type { Brain } from '../../entities/brains.ts';

/** Nobody is invited as an owner. */
const levels = ['viewer', 'editor', 'admin'] as const;

type Props = { brain: Brain; isOpen: boolean; onClose: () => void };

/** Gives somebody a role on a brain by their mail address. */
export function InviteDialog({ brain, isOpen, onClose }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Invite to ${brain.name}`}
      description="People without an account join when they first sign in."
      act="Invite"
      run={({ readText, data }) =>
        inviteMember({ brain_id: brain.id, email: readText('email'), ...parseAccess(data, levels) })
      }
      refreshes={['brains']}
      renderAnswer={(invitation) => <Result invited={invitation} onClose={onClose} />}
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
      <AccessFields levels={levels} level="editor" cascades />
    </FormDialog>
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
