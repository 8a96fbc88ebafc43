import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';
import { buildSignInMethodsQuery } from './requests.ts';
import { addAddress, authenticatorsQuery, removeAddress, updateProfile } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The verified mail addresses of a person, and the one that this workspace uses. */
export function AddressesSection() {
  const { data } = useQuery(authenticatorsQuery);
  const { data: me } = useQuery(meQuery);
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  const [isAdding, setIsAdding] = useState(false);
  if (!data || !me) return null;
  const known = me.person.email.toLowerCase();
  return (
    <Section
      title="Mail addresses"
      lead="You sign in with any address that you have confirmed."
      action={methods?.mail && <Button onClick={() => setIsAdding(true)}>Add an address</Button>}
    >
      <Card>
        <ul aria-label="Mail addresses" className="divide-y divide-line">
          {[...new Set([known, ...data.addresses])].map((email) => (
            <AddressRow key={email} email={email} isKnown={email === known} isProved={data.addresses.includes(email)} />
          ))}
        </ul>
      </Card>
      <AddAddressDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Section>
  );
}

function AddressRow({ email, isKnown, isProved }: { email: string; isKnown: boolean; isProved: boolean }) {
  const changing = useCall(
    (change: 'use' | 'remove') => (change === 'use' ? updateProfile({ email }) : removeAddress(email)),
    {
      refreshes: ['accounts'],
      success: (_answer, change) => (change === 'use' ? 'Address changed' : 'Address removed'),
      failure: 'Nothing changed',
    },
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <p className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-sm font-medium">
        <span className="min-w-0 truncate">{email}</span>
        {isKnown && <Tag>This workspace</Tag>}
        {!isProved && <Tag tone="wait">Not confirmed</Tag>}
      </p>
      {!isKnown && (
        <span className="flex gap-2">
          <Button size="small" isBusy={changing.isBusy} onClick={() => changing.call('use')}>
            Use in this workspace
          </Button>
          <Button
            look="quiet"
            size="small"
            aria-label={`Remove ${email}`}
            isBusy={changing.isBusy}
            onClick={() => changing.call('remove')}
          >
            Remove
          </Button>
        </span>
      )}
    </li>
  );
}

function AddAddressDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add a mail address"
      act="Mail me a link"
      run={({ readText }) => addAddress(readText('email'))}
      renderAnswer={({ message }) => (
        <div className="space-y-4">
          <Notice tone="go">{message}</Notice>
          <div className="flex justify-end">
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    >
      <TextField label="Mail address" name="email" type="email" autoComplete="email" required />
    </FormDialog>
  );
}
