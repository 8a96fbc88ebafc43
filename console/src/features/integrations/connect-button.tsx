import { Link } from '@tanstack/react-router';
import { Button, getButtonClass } from '../../design/button.tsx';
import type { Access } from '../connections/access-field.tsx';
import { leaveForConsent, type Owner } from '../connections/requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = {
  /** The source to link, or a provider without one. */
  target: { name: string; label: string; provider: string | null; isConfigured: boolean; isLinked: boolean };
  returnTo: string;
  isPrimary?: boolean;
  owner?: Owner;
  access?: Access;
};

/**
 * Opens the provider's consent page, or the page to enter a missing client or token. What is linked by it syncs, so the page around it
 * says that.
 */
export function ConnectButton({ target, returnTo, isPrimary = false, owner = 'person', access = 'act' }: Props) {
  const { name, label, provider, isConfigured } = target;
  const leaving = useCall(leaveForConsent, { failure: 'Not connected' });
  const isAnother = isPrimary && target.isLinked;
  if (!provider || !isConfigured)
    return (
      <Link
        to="/integrations/$source"
        params={{ source: name }}
        search={{}}
        aria-label={`${provider ? 'Set up' : 'Connect'} ${label}`}
        className={getButtonClass('plain', 'small')}
      >
        {provider ? 'Set up' : 'Connect'}
      </Link>
    );
  return (
    <Button
      look={isPrimary ? 'primary' : 'plain'}
      size={isPrimary ? 'normal' : 'small'}
      aria-label={isAnother ? undefined : `Connect ${label}`}
      isBusy={leaving.isBusy || leaving.isSuccess}
      onClick={() => leaving.call({ provider, source: name, returnTo, owner, access, sync: true })}
    >
      {isAnother ? 'Connect another account' : 'Connect'}
    </Button>
  );
}
