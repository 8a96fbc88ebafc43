import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a person leaves unsaved changes, also by closing the tab. `what`: the subject of «are not saved». */
export function LeaveDialog({ isUnsaved, what }: { isUnsaved: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      description={`${what} are not saved. You lose them when you leave.`}
      act="Leave without saving"
      cancel="Stay"
      onConfirm={() => proceed?.()}
    />
  );
}
