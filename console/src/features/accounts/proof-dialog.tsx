import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { registerProofDialog } from '../../api/proof.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { authenticatorsQuery, knowsPasskeys, prove, type Proof } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Asks the person for proof whenever the server requires it. */
export function ProofDialog() {
  const [settle, setSettle] = useState<(isProved: boolean) => void>();
  useEffect(() => registerProofDialog(() => new Promise((resolve) => setSettle(() => resolve))), []);
  const answer = (isProved: boolean) => {
    settle?.(isProved);
    setSettle(undefined);
  };
  return (
    <PlainDialog
      isOpen={settle !== undefined}
      onClose={() => answer(false)}
      title="Confirm that it is you"
      description="You signed in more than 10 minutes ago. Confirm once more before you change this."
    >
      <ProofForm onProved={() => answer(true)} />
    </PlainDialog>
  );
}

/** Asks for a passkey, a code or the password. */
export function ProofForm({ onProved }: { onProved: () => void }) {
  const { data } = useQuery(authenticatorsQuery);
  const proving = useCall(prove, { onSuccess: onProved });
  const kinds = new Set(data?.authenticators.map(({ kind }) => kind));
  const isByCode = kinds.has('totp');
  const isByPasskey = kinds.has('passkey') && knowsPasskeys;
  const isByText = isByCode || kinds.has('password');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('proof'));
    const proof: Proof = isByCode ? { code: text } : { password: text };
    proving.call(proof);
  };
  return (
    <div className="space-y-4">
      {proving.error && <Notice tone="stop">{formatErrorMessage(proving.error)}</Notice>}
      {isByPasskey && (
        <Button className="w-full" isBusy={proving.isBusy} onClick={() => proving.call('passkey')}>
          Use a passkey
        </Button>
      )}
      {isByText && (
        <form onSubmit={submit} className="space-y-4">
          <TextField
            label={isByCode ? 'Code from your app, or a recovery code' : 'Password'}
            name="proof"
            type={isByCode ? 'text' : 'password'}
            autoComplete={isByCode ? 'one-time-code' : 'current-password'}
            required
          />
          <Button look="primary" type="submit" isBusy={proving.isBusy}>
            Confirm
          </Button>
        </form>
      )}
      {data && !isByPasskey && !isByText && (
        <div className="space-y-3 text-sm leading-relaxed text-soft">
          <p>You have no password or passkey yet, so a new sign-in is the only proof. Sign out, then get a link:</p>
          <CopyBox text="npx thalamus sign-in" label="sign-in command" />
          <p>Run it on the machine of the server, or ask for a link by mail on the sign-in page.</p>
        </div>
      )}
    </div>
  );
}
