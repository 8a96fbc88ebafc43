import type { FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';

type Props = { isBusy: boolean; onGive: (given: { email: string; password: string }) => void };

/** An address and a password. */
export function PasswordForm({ isBusy, onGive }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onGive({ email: String(form.get('email')).trim(), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit} className="mb-7 space-y-3">
      <TextField label="Mail address" name="email" type="email" autoComplete="username" required />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button look="primary" size="large" className="w-full" type="submit" isBusy={isBusy}>
        Sign in with password
      </Button>
    </form>
  );
}
