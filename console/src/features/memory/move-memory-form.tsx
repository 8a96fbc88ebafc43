import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/states.tsx';
import { notifyUndoable } from '../../design/toasts.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { moveMemory } from './curation-requests.ts';
import type { Memory } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Moves a memory to another brain, whose readers can read it from then on. */
export function MoveMemoryForm({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const [target, setTarget] = useState('');
  const movingBack = useCall(moveMemory, { refreshes: ['memory'], failure: 'Not moved back' });
  const moving = useCall(moveMemory, {
    refreshes: ['memory'],
    onSuccess: (_answer, { memory_id }) => {
      notifyUndoable('Moved', `It was in ${memory.brain_name}.`, () =>
        movingBack.call({ memory_id, target_brain_id: memory.brain_id }),
      );
      onDone();
    },
  });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (target) moving.call({ memory_id: memory.id, target_brain_id: target });
      }}
    >
      {moving.error && <Notice tone="stop">{formatErrorMessage(moving.error)}</Notice>}
      <BrainField
        canWrite
        label="Move to"
        value={target}
        required
        hint="Everyone who can read that brain can then read this memory."
        onChange={(event) => setTarget(event.target.value)}
      >
        <option value="">Select a brain</option>
      </BrainField>
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={!target} isBusy={moving.isBusy}>
          Move
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
