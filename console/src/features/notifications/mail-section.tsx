import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailX } from 'lucide-react';
import { joinClassNames } from '../../design/class-names.ts';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { chooseMail, notificationsQuery, type MailChoice, type Notifications } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const choices: readonly { mail: MailChoice; label: string; says: string }[] = [
  { mail: 'off', label: 'No mails', says: 'Drafts wait in the inbox.' },
  { mail: 'each', label: 'At once', says: 'One mail for drafts that arrive together.' },
  { mail: 'digest', label: 'Digest', says: 'At most one mail every 15 minutes.' },
];

/** The setting for mails about pending drafts. */
export function MailSection() {
  const { data, error, refetch } = useQuery(notificationsQuery);
  return (
    <Section title="Mail" lead="Drafts awaiting approval, deliveries we couldn’t confirm, and deadlines that passed.">
      <Card>
        {!data && !error && <Skeleton rows={3} label="Loading your setting" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && <Choices {...data} />}
      </Card>
    </Section>
  );
}

function Choices({ mail: chosen, address, can_mail: canMail }: Notifications) {
  const queryClient = useQueryClient();
  const choosing = useCall(chooseMail, {
    onSuccess: (now) => queryClient.setQueryData(notificationsQuery.queryKey, now),
    failure: 'Not saved',
  });
  const shown = choosing.isBusy ? choosing.input : chosen;
  return (
    <>
      <fieldset disabled={choosing.isBusy} className="divide-y divide-line">
        <legend className="sr-only">Mails to {address}</legend>
        {choices.map(({ mail, label, says }) => {
          const isOut = !canMail && mail !== 'off';
          return (
            <label
              key={mail}
              className={joinClassNames(
                'flex items-start gap-3 px-5 py-3.5 text-sm',
                isOut ? 'text-faint' : 'cursor-pointer hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name="mail"
                className="mt-1 accent-ink"
                checked={shown === mail}
                disabled={isOut}
                onChange={() => choosing.call(mail)}
              />
              <span>
                <span className="block font-medium">{label}</span>
                <span className="block text-[13px] text-faint">{says}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
      <div className="border-t border-line px-5 py-3.5">
        {canMail ? (
          <p className="text-[13px] text-faint">To {address}. Anyone who reads that mailbox can sign in as you.</p>
        ) : (
          <Notice tone="plain" icon={<MailX />}>
            This server cannot send mail. Its operator sets THALAMUS_MAIL_URL to an SMTP server.
          </Notice>
        )}
      </div>
    </>
  );
}
