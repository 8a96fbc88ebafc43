import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { AddWay, type SignInWay } from './add-way.tsx';
import { buildSignInMethodsQuery, signInWith } from './requests.ts';
import { authenticatorsQuery, knowsPasskeys, removeAuthenticator, type Authenticator } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The sign-in methods of a person: password, passkeys, one-time codes and accounts elsewhere. */
export function SecuritySection() {
  const { data, error, isPending, refetch } = useQuery(authenticatorsQuery);
  const [adding, setAdding] = useState<SignInWay | null>(null);
  const kinds = new Set(data?.authenticators.map(({ kind }) => kind));
  return (
    <Section
      title="Sign-in methods"
      lead="Passkeys are the safest way. One-time codes are required after a password or a mailed link."
    >
      <Card>
        {isPending && <Skeleton label="Loading sign-in methods" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !data.authenticators.length && (
          <p className="px-5 py-4 text-sm text-soft">
            Nothing yet. Add a passkey or a password to sign in without a link.
          </p>
        )}
        <ul className="divide-y divide-line">
          {data?.authenticators.map((each) => (
            <WayRow key={each.authenticator_id} of={each} codesLeft={data.recovery_codes_left} />
          ))}
        </ul>
      </Card>
      {data && (
        <div className="mt-4 flex flex-wrap gap-2">
          {knowsPasskeys && <Button onClick={() => setAdding('passkey')}>Add a passkey</Button>}
          <Button onClick={() => setAdding('password')}>
            {kinds.has('password') ? 'Change password' : 'Set a password'}
          </Button>
          {!kinds.has('totp') && <Button onClick={() => setAdding('totp')}>Turn on one-time codes</Button>}
          <LinkButtons />
        </div>
      )}
      <AddWay way={adding} onClose={() => setAdding(null)} />
    </Section>
  );
}

const kindWords: Record<Authenticator['kind'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  totp: 'One-time codes',
  provider: 'Account elsewhere',
};

function WayRow({ of: way, codesLeft }: { of: Authenticator; codesLeft: number }) {
  const removing = useCall(() => removeAuthenticator(way.authenticator_id), {
    refreshes: [authenticatorsQuery.queryKey],
  });
  return (
    <li className="flex items-center gap-4 px-5 py-4">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{way.label}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-faint">
          <span>{kindWords[way.kind]}</span>
          {way.kind === 'totp' && <span>{codesLeft} recovery codes left</span>}
          <span>
            Added <Ago at={way.created_at} />
          </span>
          {way.last_used_at && (
            <span>
              Used <Ago at={way.last_used_at} />
            </span>
          )}
        </p>
        {removing.error && <Notice tone="stop">{formatErrorMessage(removing.error)}</Notice>}
      </div>
      <Button
        look="quiet"
        size="small"
        isBusy={removing.isBusy}
        aria-label={`Remove ${way.label}`}
        onClick={() => removing.call()}
      >
        Remove
      </Button>
    </li>
  );
}

/** Accounts at providers that can be linked to sign in with. */
function LinkButtons() {
  const { data: methods } = useQuery(buildSignInMethodsQuery());
  const linking = useCall(signInWith);
  return (
    <>
      {methods?.providers.map(({ name, label }) => (
        <Button
          key={name}
          isBusy={linking.isBusy || linking.isSuccess}
          onClick={() => linking.call({ provider: name, back: location.pathname, link: true })}
        >
          Link {label}
        </Button>
      ))}
      {linking.error && <Notice tone="stop">{formatErrorMessage(linking.error)}</Notice>}
    </>
  );
}
