import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { deleteBrain } from './requests.ts';
import { type Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

/** Deletes a brain, once its name was typed. */
export function DeleteBrain({ brain }: { brain: Brain }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="stop" onClick={() => setIsOpen(true)}>
        Delete brain
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Delete ${brain.name}?`}
        description={`This deletes its ${brain.memory_count === 1 ? 'memory' : `${brain.memory_count} memories`} and everything else in it. You cannot undo this.`}
      >
        <DeleteForm brain={brain} onCancel={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function DeleteForm({ brain, onCancel }: { brain: Brain; onCancel: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const deleting = useCall(deleteBrain, {
    refreshes: [[]],
    success: ['Deleted', brain.name],
    onSuccess: () => void navigate({ to: '/brains' }),
  });
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        deleting.call({ brain_id: brain.id, confirm: name });
      }}
    >
      {deleting.error && <Notice tone="stop">{formatErrorMessage(deleting.error)}</Notice>}
      <TextField
        label={`Type ${brain.name} to confirm`}
        autoFocus
        autoComplete="off"
        maxLength={300}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="stop" type="submit" disabled={name !== brain.name} isBusy={deleting.isBusy}>
          Delete brain
        </Button>
      </div>
    </form>
  );
}
