import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { removeProvider, staleKeys, type ProviderConfig } from './requests.ts';

type Props = { config: ProviderConfig; isOpen: boolean; onClose: () => void; onDone: () => void };

function wordsOf(label: string, ended: number, revoked: number): string {
  const accounts = ended === 1 ? 'One account was disconnected' : `${ended} accounts were disconnected`;
  if (revoked === ended) return `${accounts} and revoked at ${label}.`;
  if (revoked === 0) return `${accounts}. Revoke the access at ${label} yourself.`;
  return `${accounts}, ${revoked} of them revoked at ${label}. Revoke the others there yourself.`;
}

/** Asks before an OAuth client of the workspace is removed, with what everybody linked by it. */
export function RemoveProviderDialog({ config, isOpen, onClose, onDone }: Props) {
  const { provider, label, is_custom: isCustom } = config;
  const queryClient = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeProvider(provider),
    onSuccess: ({ accounts_ended: ended, ended_at_provider: revoked }) => {
      tell('Removed', ended ? wordsOf(label, ended, revoked) : undefined);
      onClose();
      onDone();
      return Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => tellFailure('Not removed', error),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isCustom ? `Remove ${label}?` : `Remove the OAuth client of ${label}?`}
      description={`All accounts connected with it stop working. Thalamus revokes them at ${label} where it can.`}
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={removing.isPending} onClick={() => removing.mutate()}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
