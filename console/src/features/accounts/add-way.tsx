import { useState, type FormEvent, type ReactNode } from 'react';
import { getInputIssues, formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { parseBrowserName } from './browser-name.ts';
import { addPasskey, addTotp, authenticatorsQuery, beginTotp, setPassword } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

export type SignInWay = 'passkey' | 'password' | 'totp';

const titles: Record<SignInWay, string> = {
  passkey: 'Add a passkey',
  password: 'Set a password',
  totp: 'Turn on one-time codes',
};

/** Adds one way of signing in. */
export function AddWay({ way, onClose }: { way: SignInWay | null; onClose: () => void }) {
  return (
    <Dialog isOpen={way !== null} onClose={onClose} title={way ? titles[way] : ''}>
      {way === 'passkey' && (
        <OneField
          label="Name"
          hint="How you know this device again."
          initial={parseBrowserName(navigator.userAgent)}
          verb="Create passkey"
          add={addPasskey}
          onDone={() => finishAdding('Passkey added', onClose)}
        />
      )}
      {way === 'password' && (
        <OneField
          label="New password"
          hint="10 characters or more. Your other sessions end when you change it."
          type="password"
          verb="Save password"
          add={setPassword}
          onDone={() => finishAdding('Password saved', onClose)}
        />
      )}
      {way === 'totp' && <TotpForm onClose={onClose} />}
    </Dialog>
  );
}

function finishAdding(title: string, onClose: () => void): void {
  notifySuccess(title);
  onClose();
}

type FieldProps = {
  label: string;
  hint: string;
  verb: string;
  type?: string;
  initial?: string;
  add: (text: string) => Promise<unknown>;
  onDone: () => void;
};

function OneField({ label, hint, verb, type = 'text', initial = '', add, onDone }: FieldProps) {
  const adding = useAdding(add, onDone);
  const [text, setText] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.call(text);
  };
  const isNew = type === 'password' && { autoComplete: 'new-password', minLength: 10, maxLength: 200 };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Failure of={adding} />
      <TextField
        label={label}
        hint={hint}
        type={type}
        required
        {...isNew}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button look="primary" type="submit" isBusy={adding.isBusy}>
        {verb}
      </Button>
    </form>
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
        I kept them
      </Button>
    </div>
  );
}

function useAdding<Given, Answer>(add: (given: Given) => Promise<Answer>, onDone?: () => void) {
  return useCall(add, {
    refreshes: [authenticatorsQuery.queryKey],
    onSuccess: () => {
      onDone?.();
    },
  });
}

type AddingState = { error: Error | null };

function Failure({ of: { error } }: { of: AddingState }): ReactNode {
  return error && <Notice tone="stop">{formatErrorMessage(error)}</Notice>;
}
