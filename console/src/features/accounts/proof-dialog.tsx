import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { authenticatorsQuery, knowsPasskeys, prove, type Proof } from './sign-in-requests.ts';

type Props = { isOpen: boolean; onClose: () => void; onProved: () => void };

/** Asks who is at the console before credentials or owners change. */
export function ProofDialog({ isOpen, onClose, onProved }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Confirm that it is you"
      description="You signed in more than 10 minutes ago. Confirm once more before you change this."
    >
      <ProofForm onProved={onProved} />
    </Dialog>
  );
}

function ProofForm({ onProved }: { onProved: () => void }) {
  const { data } = useQuery(authenticatorsQuery);
  const proving = useMutation({ mutationFn: prove, onSuccess: onProved });
  const kinds = new Set(data?.authenticators.map(({ kind }) => kind));
  const isByCode = kinds.has('totp');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('proof'));
    const proof: Proof = isByCode ? { code: text } : { password: text };
    proving.mutate(proof);
  };
  return (
    <div className="space-y-4">
      {proving.isError && <Notice tone="stop">{messageOf(proving.error)}</Notice>}
      {kinds.has('passkey') && knowsPasskeys && (
        <Button className="w-full" isBusy={proving.isPending} onClick={() => proving.mutate('passkey')}>
          Use a passkey
        </Button>
      )}
      {(isByCode || kinds.has('password')) && (
        <form onSubmit={submit} className="space-y-4">
          <TextField
            label={isByCode ? 'Code of your app, or a recovery code' : 'Password'}
            name="proof"
            type={isByCode ? 'text' : 'password'}
            autoComplete={isByCode ? 'one-time-code' : 'current-password'}
            required
          />
          <Button look="primary" type="submit" isBusy={proving.isPending}>
            Confirm
          </Button>
        </form>
      )}
      {data && !kinds.size && (
        <p className="text-sm text-soft">You have no password or passkey yet. Sign out, and sign in by a new link.</p>
      )}
    </div>
  );
}
