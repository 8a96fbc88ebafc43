import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before a person leaves unsaved changes, also by closing the tab. `what`: the subject of «are not saved». */
export function LeaveDialog({ isUnsaved, what }: { isUnsaved: boolean; what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  return (
    <Dialog
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      description={`${what} are not saved. You lose them when you leave.`}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={() => reset?.()}>Stay</Button>
        <Button look="stop" onClick={() => proceed?.()}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
