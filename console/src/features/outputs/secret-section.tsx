import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { useMayChange } from '../webhooks/use-may-change.ts';
import { freshSecretQuery, rotateSecret, type Destination } from './requests.ts';

/** The signing secret: shown once when it is made, and replaced here. */
export function SecretSection({ of: { output_destination_id: id } }: { of: Destination }) {
  const { data: secret } = useQuery(freshSecretQuery(id));
  const [isAsking, setIsAsking] = useState(false);
  const mayChange = useMayChange();
  const queryClient = useQueryClient();
  const rotating = useMutation({
    mutationFn: () => rotateSecret(id),
    onSuccess: ({ signing_secret, feed_token }) => {
      queryClient.setQueryData(freshSecretQuery(id).queryKey, signing_secret ?? feed_token ?? undefined);
      setIsAsking(false);
    },
    onError: (error) => tellFailure('The secret was not replaced', error),
  });
  return (
    <Section
      title="Signing secret"
      lead={
        <>
          Messages are signed as{' '}
          <a
            className="rounded underline underline-offset-2"
            href="https://www.standardwebhooks.com"
            target="_blank"
            rel="noreferrer"
          >
            Standard Webhooks
          </a>
          . Your service checks them with this secret.
        </>
      }
      action={mayChange && <Button onClick={() => setIsAsking(true)}>Replace secret</Button>}
    >
      {secret ? (
        <div className="space-y-3">
          <CopyBox text={secret} label="secret" />
          <Notice tone="wait" icon={<KeyRound />}>
            Copy it now. It is not shown again.
          </Notice>
        </div>
      ) : (
        <Card className="p-5 text-sm text-soft">The secret is stored encrypted and was shown once.</Card>
      )}
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Replace the signing secret?"
        description="The new secret is shown once. For 24 hours messages carry the signatures of both, so that you can change your service in time."
      >
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          <Button look="primary" isBusy={rotating.isPending} onClick={() => rotating.mutate()}>
            Make a new secret
          </Button>
        </div>
      </Dialog>
    </Section>
  );
}
