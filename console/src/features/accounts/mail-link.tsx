import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { mailLink, methodsQuery } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Mails a sign-in link. Renders nothing when the server cannot send mail. */
export function MailLink() {
  const { data: methods } = useQuery(methodsQuery());
  const [email, setEmail] = useState('');
  const mailing = useCall(mailLink);
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
      {mailing.error && <Notice tone="stop">{messageOf(mailing.error)}</Notice>}
    </form>
  );
}
