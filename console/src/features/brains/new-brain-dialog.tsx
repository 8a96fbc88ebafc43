import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { createBrain } from './requests.ts';
import { isAtLeast, type Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { isOpen: boolean; onClose: () => void; parent?: Brain | undefined };

/** Creates a brain, below another one or by itself. */
export function NewBrainDialog({ isOpen, onClose, parent }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New brain">
      <NewBrainForm onClose={onClose} parent={parent && isAtLeast(parent.access_level, 'admin') ? parent : undefined} />
    </Dialog>
  );
}

function NewBrainForm({ onClose, parent }: { onClose: () => void; parent: Brain | undefined }) {
  const navigate = useNavigate();
  const creating = useCall(createBrain, {
    refreshes: ['brains'],
    success: ({ name }) => `${name} created`,
    onSuccess: ({ brain_id }) => {
      onClose();
      void navigate({ to: '/brains/$brainId', params: { brainId: brain_id } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const [description, parent] = [text('description'), text('parent')];
    creating.call({
      name: text('name'),
      ...(description && { description }),
      ...(parent && { parent_brain_id: parent }),
    });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {creating.error && <Notice tone="stop">{formatErrorMessage(creating.error)}</Notice>}
      <TextField label="Name" name="name" required maxLength={200} autoFocus placeholder="Deal Support" />
      <TextArea
        label="Description"
        name="description"
        maxLength={4_000}
        placeholder="Call scripts, objections and how we answer them, competitive intel"
        hint="Thalamus routes memories by this text."
      />
      <BrainField
        isParent
        label="Parent brain"
        name="parent"
        defaultValue={parent && !parent.is_personal ? parent.id : ''}
      >
        <option value="">None</option>
      </BrainField>
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={creating.isBusy}>
          Create brain
        </Button>
      </div>
    </form>
  );
}
