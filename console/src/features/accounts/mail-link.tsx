import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { requestSignInLink, buildSignInMethodsQuery } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Mails a sign-in link. Renders nothing when the server cannot send mail. */
export function MailLink() {
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  const [email, setEmail] = useState('');
  const mailing = useCall(requestSignInLink);
  if (!methods?.mail) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mailing.call(email);
  };
  return (
    <form onSubmit={submit} className="mb-7 space-y-3">
      <TextField
        label="Your mail address"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button look="primary" size="large" className="w-full" type="submit" isBusy={mailing.isBusy}>
        Mail me a link
      </Button>
      {mailing.answer && <Notice tone="go">{mailing.answer.message}</Notice>}
      {mailing.error && <Notice tone="stop">{formatErrorMessage(mailing.error)}</Notice>}
    </form>
  );
}
