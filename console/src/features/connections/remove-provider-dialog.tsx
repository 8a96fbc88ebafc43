import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { removeProvider, staleKeys, type ProviderConfig } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { config: ProviderConfig; isOpen: boolean; onClose: () => void; onDone: () => void };

function describeRemoval(label: string, ended: number, revoked: number): string {
  const accounts = ended === 1 ? 'One account was disconnected' : `${ended} accounts were disconnected`;
  if (revoked === ended) return `${accounts} and revoked at ${label}.`;
  if (revoked === 0) return `${accounts}. Revoke the access at ${label} yourself.`;
  return `${accounts}, ${revoked} of them revoked at ${label}. Revoke the others there yourself.`;
}

/** Asks before an OAuth client of the workspace is removed, with what everybody linked by it. */
export function RemoveProviderDialog({ config, isOpen, onClose, onDone }: Props) {
  const { provider, label, is_custom: isCustom } = config;
  const removing = useCall(() => removeProvider(provider), {
    refreshes: staleKeys,
    success: ({ accounts_ended: ended, ended_at_provider: revoked }) => [
      'Removed',
      ended ? describeRemoval(label, ended, revoked) : undefined,
    ],
    onSuccess: () => {
      onClose();
      onDone();
    },
    failure: 'Not removed',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={isCustom ? `Remove ${label}?` : `Remove the OAuth client of ${label}?`}
      description={`All accounts connected with it stop working. Thalamus revokes them at ${label} where it can.`}
      act="Remove"
      isBusy={removing.isBusy}
      onConfirm={() => removing.call()}
    />
  );
}
