import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { staleKeys, unlinkAccount, type Connection } from './requests.ts';

/** Asks before an account is unlinked, and explains the manual steps at the provider. */
export function UnlinkDialog({ connection, onClose }: { connection: Connection | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const unlinking = useMutation({
    mutationFn: unlinkAccount,
    onSuccess: ({ revoked_at_provider: isTold, message }) => {
      tell('Disconnected', isTold ? undefined : message);
      onClose();
      return Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => tellFailure('Not disconnected', error),
  });
  const isShared = connection?.owner === 'workspace';
  return (
    <Dialog
      isOpen={connection !== null}
      onClose={onClose}
      title={`Disconnect ${connection?.account ?? ''}?`}
      description={`Deletes its tokens here and revokes them at the provider.${isShared ? ' Nobody in the workspace can use it afterwards.' : ''} Syncs stop. Synced pages stay.`}
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="stop"
          isBusy={unlinking.isPending}
          onClick={() => connection && unlinking.mutate(connection.connection_id)}
        >
          Disconnect
        </Button>
      </div>
    </Dialog>
  );
}
