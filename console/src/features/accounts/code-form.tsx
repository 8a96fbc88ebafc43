import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';

/** The one-time code that is required after a password or a mailed link. */
export function CodeForm({ isBusy, onGive }: { isBusy: boolean; onGive: (code: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onGive(String(new FormData(event.currentTarget).get('code')).trim());
  };
  return (
    <form onSubmit={submit} className="space-y-3">
      <TextField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        required
        autoFocus
        hint="The 6 digits in your authenticator app, or one of your recovery codes."
      />
      <Button look="primary" size="large" className="w-full" type="submit" isBusy={isBusy}>
        Continue
      </Button>
    </form>
  );
}
