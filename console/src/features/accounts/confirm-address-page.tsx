import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button, getButtonClass } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { SettingsPage } from '../../design/settings-page.tsx';
import { Notice } from '../../design/states.tsx';
import { confirmAddress } from './sign-in-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** The page of a verification link. Only a click uses up the link, so that mail scanners cannot. */
export function ConfirmAddressPage() {
  const [proof] = useState(parseAddressProof);
  const confirming = useCall(confirmAddress, { refreshes: ['accounts'] });
  return (
    <SettingsPage
      title="Confirm your mail address"
      after={
        <Card className="space-y-4 p-5">
          {confirming.error && <Notice tone="stop">{formatErrorMessage(confirming.error)}</Notice>}
          {!proof && <Notice tone="stop">This link is not complete. Copy all of it, or add the address again.</Notice>}
          {proof && !confirming.isSuccess && (
            <>
              <p className="text-sm text-soft">
                You will sign in with <strong className="text-ink">{proof.email}</strong> as well.
              </p>
              <Button look="primary" isBusy={confirming.isBusy} onClick={() => confirming.call(proof)}>
                Confirm
              </Button>
            </>
          )}
          {confirming.isSuccess && <Notice tone="go">You can sign in with {proof?.email} from now on.</Notice>}
          <Link to="/account" className={getButtonClass()}>
            My account
          </Link>
        </Card>
      }
    />
  );
}

/** The URL fragment, which no server sees. */
function parseAddressProof(): { token: string; email: string } | null {
  const [token = '', email = ''] = location.hash.slice(1).split('/');
  return token.startsWith('ta_') && email ? { token, email: decodeURIComponent(email) } : null;
}
