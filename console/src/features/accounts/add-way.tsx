import type { FormEvent, ReactNode } from 'react';
import { getInputIssues, formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { parseBrowserName } from './browser-name.ts';
import { addPasskey, addTotp, authenticatorsQuery, beginTotp, setPassword } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

export type SignInWay = 'passkey' | 'password' | 'totp';

/** Adds a sign-in method. */
export function AddWay({ way, onClose }: { way: SignInWay | null; onClose: () => void }) {
  const shared = { onClose, refreshes: [authenticatorsQuery.queryKey] };
  return (
    <>
      <FormDialog
        {...shared}
        isOpen={way === 'passkey'}
        title="Add a passkey"
        act="Create passkey"
        run={({ readText }) => addPasskey(readText('name'))}
        success="Passkey added"
      >
        <TextField
          label="Name"
          name="name"
          hint="A name to recognise this device by."
          required
          defaultValue={parseBrowserName(navigator.userAgent)}
        />
      </FormDialog>
      <FormDialog
        {...shared}
        isOpen={way === 'password'}
        title="Set a password"
        act="Save password"
        run={({ data }) => setPassword(String(data.get('password')))}
        success="Password saved"
      >
        <TextField
          label="New password"
          name="password"
          hint="10 characters or more. Your other sessions end when you change it."
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          required
        />
      </FormDialog>
      <PlainDialog isOpen={way === 'totp'} onClose={onClose} title="Turn on one-time codes">
        <TotpForm onClose={onClose} />
      </PlainDialog>
    </>
  );
}

function TotpForm({ onClose }: { onClose: () => void }) {
  const beginning = useAdding(beginTotp);
  const adding = useAdding(addTotp);
  if (adding.answer) return <RecoveryCodes codes={adding.answer.recovery_codes} onClose={onClose} />;
  if (!beginning.answer)
    return (
      <div className="space-y-4">
        <Failure of={beginning} />
        <p className="text-sm text-soft">
          You need an authenticator app on your phone, such as Aegis, 1Password or Google Authenticator.
        </p>
        <Button look="primary" isBusy={beginning.isBusy} onClick={() => beginning.call(undefined)}>
          Show the QR code
        </Button>
      </div>
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.call(String(new FormData(event.currentTarget).get('code')));
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Failure of={adding} />
      <QrCode text={beginning.answer.uri} label="QR code for your authenticator app" />
      <CopyBox text={beginning.answer.secret} label="secret" />
      <TextField
        label="Code that the app shows"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        error={getInputIssues(adding.error).get('code')}
      />
      <Button look="primary" type="submit" isBusy={adding.isBusy}>
        Turn on
      </Button>
    </form>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <Notice tone="wait">
        Keep these recovery codes. Each works once when your phone is not at hand. They are shown only now.
      </Notice>
      <ul className="grid grid-cols-1 gap-1 font-mono text-sm" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyBox text={codes.join('\n')} label="recovery codes" />
      <Button look="primary" onClick={onClose}>
        I saved them
      </Button>
    </div>
  );
}

function useAdding<Given, Answer>(add: (given: Given) => Promise<Answer>) {
  return useCall(add, { refreshes: [authenticatorsQuery.queryKey] });
}

type AddingState = { error: Error | null };

function Failure({ of: { error } }: { of: AddingState }): ReactNode {
  return error && <Notice tone="stop">{formatErrorMessage(error)}</Notice>;
}
