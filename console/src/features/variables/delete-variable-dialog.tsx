import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { deleteVariable, type Variable } from './requests.ts';

/** Asks before a variable is deleted, since its value cannot be brought back. */
export function DeleteVariableDialog({ of: variable, onClose }: { of: Variable | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: deleteVariable,
    onSuccess: () => {
      tell('Secret deleted', 'Its placeholder no longer works.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['variables'] });
    },
    onError: (error) => tellFailure('The secret was not deleted', error),
  });
  return (
    <Dialog
      isOpen={variable !== null}
      onClose={onClose}
      title={`Delete ${variable?.name ?? ''}?`}
      description="Requests that use its placeholder fail. You cannot restore the value."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="stop" isBusy={deleting.isPending} onClick={() => variable && deleting.mutate(variable)}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
