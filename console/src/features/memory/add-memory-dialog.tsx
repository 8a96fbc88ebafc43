import type { FormEvent, KeyboardEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextArea } from '../../design/field.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { formatTypeName } from './type-label.tsx';
import { addMemory, memoryTypes, saliences, salienceWords, type NewMemory } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { isOpen: boolean; onClose: () => void; brain?: string | undefined };

/** Adds one memory. The server infers fields left on "By its words". */
export function AddMemoryDialog({ isOpen, onClose, brain }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add memory" description="All your agents can find it.">
      <AddMemoryForm onClose={onClose} brain={brain} />
    </Dialog>
  );
}

function AddMemoryForm({ onClose, brain }: { onClose: () => void; brain: string | undefined }) {
  const adding = useCall(addMemory, {
    refreshes: ['memory'],
    success: ({ message }) => ['Memory added', message],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.call(parseNewMemory(new FormData(event.currentTarget)));
  };
  const submitByKeys = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
  };
  return (
    <form onSubmit={submit} onKeyDown={submitByKeys} className="space-y-4">
      {adding.error && <Notice tone="stop">{formatErrorMessage(adding.error)}</Notice>}
      <TextArea
        label="Memory"
        isLabelHidden
        name="content"
        required
        autoFocus
        maxLength={32_000}
        placeholder="We chose Postgres over Neo4j, because a brain’s graph is small."
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <BrainField canWrite label="Brain" name="brain" defaultValue={brain ?? ''}>
          <option value="">Your personal brain</option>
        </BrainField>
        <SelectField label="Type" name="type" defaultValue="">
          <option value="">Detect automatically</option>
          {memoryTypes.map((type) => (
            <option key={type} value={type}>
              {formatTypeName(type)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Importance" name="salience" defaultValue="">
          <option value="">Detect automatically</option>
          {saliences.map((weight) => (
            <option key={weight} value={weight}>
              {salienceWords[weight]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={adding.isBusy}>
          Remember it <Kbd>⌘↵</Kbd>
        </Button>
      </div>
    </form>
  );
}

function parseNewMemory(form: FormData): NewMemory {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const type = memoryTypes.find((each) => each === text('type'));
  const salience = saliences.find((each) => each === text('salience'));
  return {
    content: text('content'),
    ...(type && { type }),
    ...(salience && { salience }),
    ...(text('brain') && { target_brain_id: text('brain') }),
  };
}
