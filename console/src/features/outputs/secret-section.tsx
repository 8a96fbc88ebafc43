import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { useHasScope } from '../../entities/me.ts';
import { buildFreshSecretQuery, rotateSecret, type Destination } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const standard = (
  <a
    className="rounded underline underline-offset-2"
    href="https://www.standardwebhooks.com"
    target="_blank"
    rel="noreferrer"
  >
    Standard Webhooks
  </a>
);

const words = {
  webhook: {
    title: 'Signing secret',
    lead: <>Messages are signed as {standard}. Your service checks them with this secret.</>,
    noun: 'secret',
    stored: 'The secret is stored encrypted and was shown once.',
    question: 'Replace the signing secret?',
    effect:
      'The new secret is shown once. For 24 hours messages carry the signatures of both, so that you can change your service in time.',
  },
  feed: {
    title: 'Token',
    lead: 'The program that reads this feed sends this token. Keep the cursor it gets, and it misses no event.',
    noun: 'token',
    stored: 'Only a hash of the token is stored. It was shown once.',
    question: 'Replace the token?',
    effect: 'The new token is shown once. The one before stops at once, so its reader is refused until you change it.',
  },
} as const;

/** The signing secret of a webhook or the token of a feed: shown once when it is made, and replaced here. */
export function SecretSection({ of: destination }: { of: Destination }) {
  const { output_destination_id: id, output_destination_kind: kind, output_destination_url: url } = destination;
  const { title, lead, noun, stored } = words[kind];
  const { data: secret } = useQuery(buildFreshSecretQuery(id));
  const [isAsking, setIsAsking] = useState(false);
  const mayChange = useHasScope('connectors:write');
  return (
    <Section
      title={title}
      lead={lead}
      action={mayChange && <Button onClick={() => setIsAsking(true)}>Replace {noun}</Button>}
    >
      <div className="space-y-3">
        {secret ? (
          <>
            <CopyBox text={secret} label={noun} />
            <Notice tone="wait" icon={<KeyRound />}>
              Copy it now. It is not shown again.
            </Notice>
          </>
        ) : (
          <Card className="p-5 text-sm text-soft">{stored}</Card>
        )}
        {kind === 'feed' && (
          <CopyBox
            isBlock
            title="Read it"
            label="request"
            text={`curl -H "Authorization: Bearer $FEED_TOKEN" "${url}?cursor=0&limit=50"`}
          />
        )}
      </div>
      {isAsking && <ReplaceDialog of={destination} onClose={() => setIsAsking(false)} />}
    </Section>
  );
}

function ReplaceDialog({ of: destination, onClose }: { of: Destination; onClose: () => void }) {
  const { output_destination_id: id, output_destination_kind: kind } = destination;
  const { noun, question, effect } = words[kind];
  const queryClient = useQueryClient();
  const rotating = useCall(() => rotateSecret(id), {
    onSuccess: ({ signing_secret, feed_token }) => {
      queryClient.setQueryData(buildFreshSecretQuery(id).queryKey, signing_secret ?? feed_token ?? undefined);
      onClose();
    },
    failure: `The ${noun} was not replaced`,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={question}
      description={effect}
      act={`Make a new ${noun}`}
      look="primary"
      isBusy={rotating.isBusy}
      onConfirm={() => rotating.call()}
    />
  );
}
