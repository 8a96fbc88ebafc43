import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/states.tsx';
import { tellFailure, tellUndoable } from '../../design/toasts.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { moveMemory } from './curation-requests.ts';
import type { Memory } from './requests.ts';

/** Moves a memory to another brain, whose readers can read it from then on. */
export function MoveMemoryForm({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const queryClient = useQueryClient();
  const [target, setTarget] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['memory'] });
  const movingBack = useMutation({
    mutationFn: moveMemory,
    onError: (error) => tellFailure('Not moved back', error),
    onSettled: refresh,
  });
  const moving = useMutation({
    mutationFn: moveMemory,
    onSuccess: (_answer, { memory_id }) => {
      tellUndoable('Moved', `It was in ${memory.brain_name}.`, () =>
        movingBack.mutate({ memory_id, target_brain_id: memory.brain_id }),
      );
      onDone();
    },
    onSettled: refresh,
  });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (target) moving.mutate({ memory_id: memory.id, target_brain_id: target });
      }}
    >
      {moving.isError && <Notice tone="stop">{messageOf(moving.error)}</Notice>}
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
        <Button type="submit" look="primary" disabled={!target} isBusy={moving.isPending}>
          Move
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
