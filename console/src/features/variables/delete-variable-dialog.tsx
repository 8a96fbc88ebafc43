import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { deleteVariable, type Variable } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { of: Variable; isOpen: boolean; onClose: () => void };

/** Asks before a variable is deleted, because its value cannot be restored. */
export function DeleteVariableDialog({ of: variable, isOpen, onClose }: Props) {
  const deleting = useCall(deleteVariable, {
    refreshes: ['variables'],
    success: ['Secret deleted', 'Its placeholder no longer works.'],
    onSuccess: onClose,
    failure: 'The secret was not deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${variable.name}?`}
      description="Requests that use its placeholder fail. You cannot restore the value."
      act="Delete secret"
      isBusy={deleting.isBusy}
      onConfirm={() => deleting.call(variable)}
    />
  );
}
