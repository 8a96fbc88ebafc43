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
      tell('Variable deleted', 'Its handle is refused from now on.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['variables'] });
    },
    onError: (error) => tellFailure('The variable was not deleted', error),
  });
  return (
    <Dialog
      isOpen={variable !== null}
      onClose={onClose}
      title={`Delete ${variable?.name ?? ''}?`}
      description="Agents that name its handle are refused. The value cannot be brought back, only set again."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="stop" isBusy={deleting.isPending} onClick={() => variable && deleting.mutate(variable)}>
          Delete it
        </Button>
      </div>
    </Dialog>
  );
}
