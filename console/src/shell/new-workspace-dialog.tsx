import type { FormEvent } from 'react';
import { formatErrorMessage } from '../api/api-error.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { Notice } from '../design/states.tsx';
import { createWorkspace } from '../features/accounts/workspace-requests.ts';
import { useCall } from '../design/use-call.ts';

/** Creates a workspace and goes there. */
export function NewWorkspaceDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const creating = useCall(createWorkspace);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creating.call(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create workspace"
      description="A workspace has its own people, brains, agents and rules. You become its owner."
    >
      <form onSubmit={submit} className="space-y-4">
        {creating.error && <Notice tone="stop">{formatErrorMessage(creating.error)}</Notice>}
        <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Acme" />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={creating.isBusy || creating.isSuccess}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
