import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../design/button.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { leaveForConsent } from '../connections/requests.ts';
import type { Integration } from './requests.ts';

type Props = { integration: Integration; returnTo: string; isPrimary?: boolean };

/** Leads to the provider's consent page; or, when the workspace has no client there yet, to setting one up. */
export function ConnectButton({ integration, returnTo, isPrimary = false }: Props) {
  const { name, label, oauth_provider: provider, is_configured: isConfigured } = integration;
  const leaving = useMutation({
    mutationFn: leaveForConsent,
    onError: (error) => tellFailure('Not linked', error),
  });
  if (!provider) return null;
  const isAnother = isPrimary && integration.connected;
  if (!isConfigured)
    return (
      <Link
        to="/integrations/$source"
        params={{ source: name }}
        search={{}}
        aria-label={`Set up ${label}`}
        className={buttonClass('plain', 'small')}
      >
        Set up
      </Link>
    );
  return (
    <Button
      look={isPrimary ? 'primary' : 'plain'}
      size={isPrimary ? 'normal' : 'small'}
      aria-label={isAnother ? undefined : `Connect ${label}`}
      isBusy={leaving.isPending || leaving.isSuccess}
      onClick={() => leaving.mutate({ provider, source: name, returnTo })}
    >
      {isAnother ? 'Link another account' : 'Connect'}
    </Button>
  );
}
