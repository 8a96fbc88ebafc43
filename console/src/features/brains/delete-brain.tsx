import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import { useCall } from '../../design/use-call.ts';
import { deleteBrain } from './requests.ts';
import { type Brain } from '../../entities/brains.ts';

/** Deletes a brain, once its name was typed. */
export function DeleteBrain({ brain }: { brain: Brain }) {
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const deleting = useCall(deleteBrain, {
    refreshes: [[]],
    success: ['Deleted', brain.name],
    onSuccess: () => void navigate({ to: '/brains' }),
  });
  return (
    <>
      <Button look="stop" onClick={() => setIsOpen(true)}>
        Delete brain
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Delete ${brain.name}?`}
        description={`This deletes ${formatCount(brain.memory_count, 'memory', 'memories')} and everything else in it. You cannot undo this.`}
        act="Delete brain"
        typed={brain.name}
        isBusy={deleting.isBusy}
        error={deleting.error}
        onConfirm={() => deleting.call({ brain_id: brain.id, confirm: brain.name })}
      />
    </>
  );
}
