import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { removeProvider, staleKeys, type ProviderConfig } from './requests.ts';

type Props = { config: ProviderConfig; isOpen: boolean; onClose: () => void; onDone: () => void };

/** Asks before an OAuth client of the workspace is removed, with what everybody linked by it. */
export function RemoveProviderDialog({ config, isOpen, onClose, onDone }: Props) {
  const { provider, label, is_custom: isCustom } = config;
  const queryClient = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeProvider(provider),
    onSuccess: ({ accounts_ended: ended }) => {
      const accounts = ended === 1 ? 'one account' : `${ended} accounts`;
      tell('Removed', ended ? `The tokens of ${accounts} were forgotten.` : undefined);
      onClose();
      onDone();
      return Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (error) => tellFailure('Still there', error),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isCustom ? `Remove ${label}?` : `Remove the OAuth client at ${label}?`}
      description={`Accounts that anybody linked with it stop working, and their tokens are forgotten here. They are not ended at ${label}.`}
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="stop" isBusy={removing.isPending} onClick={() => removing.mutate()}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
