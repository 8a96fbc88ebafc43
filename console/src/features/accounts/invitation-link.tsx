import { Check } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import type { ResentInvitation } from './people-requests.ts';

/** The result of an invitation: a sent mail, or a link to hand over. */
export function InvitationLink({ invited, onClose }: { invited: ResentInvitation; onClose: () => void }) {
  const { email, mailed, join_link: link } = invited;
  return (
    <div className="space-y-4">
      <Notice tone="go" icon={<Check />}>
        {mailed ? `A mail with the link is on its way to ${email}.` : `${email} is invited.`}
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
