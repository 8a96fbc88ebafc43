import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { staleKeys, unlinkAccount, type Connection } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Asks before an account is unlinked, and explains the manual steps at the provider. */
export function UnlinkDialog({ connection, onClose }: { connection: Connection | null; onClose: () => void }) {
  const unlinking = useCall(unlinkAccount, {
    refreshes: staleKeys,
    success: ({ revoked_at_provider: isRevoked, message }) => ['Disconnected', isRevoked ? undefined : message],
    onSuccess: onClose,
    failure: 'Not disconnected',
  });
  const isShared = connection?.owner === 'workspace';
  return (
    <ConfirmDialog
      isOpen={connection !== null}
      onClose={onClose}
      title={`Disconnect ${connection?.account ?? ''}?`}
      description={`Deletes its tokens here and revokes them at the provider.${isShared ? ' Nobody in the workspace can use it afterwards.' : ''} Syncs stop. Synced pages stay.`}
      act="Disconnect"
      isBusy={unlinking.isBusy}
      onConfirm={() => connection && unlinking.call(connection.connection_id)}
    />
  );
}
