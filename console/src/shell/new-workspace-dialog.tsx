import { TextField } from '../design/field.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { createWorkspace } from '../features/accounts/workspace-requests.ts';

/** Creates a workspace and goes there. */
export function NewWorkspaceDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create workspace"
      description="A workspace has its own people, brains, agents and rules. You become its owner."
      act="Create"
      run={({ readText }) => createWorkspace(readText('name'))}
    >
      <TextField label="Name" name="name" required maxLength={120} autoFocus placeholder="Acme" />
    </FormDialog>
  );
}
