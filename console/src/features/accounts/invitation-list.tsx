import { useQuery } from '@tanstack/react-query';
import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { resendInvitation, withdrawInvitation, type Invitation, type ResentInvitation } from './people-requests.ts';
import { buildSignInMethodsQuery } from './requests.ts';
import { roleWords } from './role-words.ts';
import { useCall } from '../../design/use-call.ts';

/** Invitations that nobody has used yet. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const [resent, setResent] = useState<ResentInvitation | null>(null);
  return (
    <Card>
      {!invitations.length && (
        <EmptyState icon={<MailPlus />} title="No open invitations">
          Invitations appear here until the person joins.
        </EmptyState>
      )}
      <ul aria-label="Invitations" className="divide-y divide-line">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.invitation_id} invitation={invitation} onLink={setResent} />
        ))}
      </ul>
      <PlainDialog isOpen={resent !== null} onClose={() => setResent(null)} title="Invitation link">
        {resent && <InvitationLink invited={resent} onClose={() => setResent(null)} />}
      </PlainDialog>
    </Card>
  );
}

type RowProps = { invitation: Invitation; onLink: (resent: ResentInvitation) => void };

function InvitationRow({ invitation, onLink }: RowProps) {
  const { invitation_id, email, role, invited_at, invited_by } = invitation;
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  const resending = useCall(resendInvitation, {
    refreshes: ['people'],
    onSuccess: (resent) => (resent.join_link ? onLink(resent) : notifySuccess('Invitation sent', resent.message)),
    failure: 'The invitation was not sent',
  });
  const withdrawing = useCall(withdrawInvitation, {
    refreshes: ['people'],
    success: ['Invitation withdrawn', 'Its link no longer works.'],
    failure: 'The invitation was not withdrawn',
  });
  const word = methods?.mail ? 'Resend' : 'New link';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 sm:px-5">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 truncate text-sm font-medium">{email}</span>
          <Tag tone="wait">{roleWords[role]}</Tag>
        </p>
        <p className="mt-0.5 text-[13px] text-faint">
          Invited <Ago at={invited_at} /> by {invited_by.name}
        </p>
      </div>
      <div className="flex gap-1">
        <Button
          look="quiet"
          size="small"
          isBusy={resending.isBusy}
          aria-label={`${word} for ${email}`}
          onClick={() => resending.call(invitation_id)}
        >
          {word}
        </Button>
        <Button
          look="quiet"
          size="small"
          isBusy={withdrawing.isBusy}
          aria-label={`Withdraw the invitation for ${email}`}
          onClick={() => withdrawing.call(invitation_id)}
        >
          Withdraw
        </Button>
      </div>
    </li>
  );
}
