import { Plus, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { updateMemory, type Correction } from './curation-requests.ts';
import { memoryTypes, saliences, salienceWords, type Memory, type Trigger } from './requests.ts';
import { formatTypeName } from './type-label.tsx';
import { useCall } from '../../design/use-call.ts';

/** Edits a memory. Its former text stays in the history. */
export function EditMemoryForm({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const [triggers, setTriggers] = useState(memory.triggers);
  const updating = useCall(updateMemory, {
    refreshes: ['memory'],
    success: ['Saved', 'The previous text stays in its history.'],
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const correction = parseCorrection(memory, triggers, new FormData(event.currentTarget));
    if (Object.keys(correction).some((name) => name !== 'id' && name !== 'reason')) updating.call(correction);
    else onDone();
  };
  return (
    <form onSubmit={submit} className="space-y-3">
      {updating.error && <Notice tone="stop">{formatErrorMessage(updating.error)}</Notice>}
      <TextArea
        label="Memory"
        name="content"
        required
        autoFocus
        maxLength={32_000}
        defaultValue={memory.content}
        hint="If a fact has changed, add a new memory and archive this one."
      />
      <div className="grid grid-cols-2 gap-3">
        <SelectField label="Type" name="type" defaultValue={memory.type}>
          {memoryTypes.map((type) => (
            <option key={type} value={type}>
              {formatTypeName(type)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Importance" name="salience" defaultValue={memory.salience}>
          {saliences.map((each) => (
            <option key={each} value={each}>
              {salienceWords[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <TriggerFields triggers={triggers} onChange={setTriggers} />
      <TextField label="Reason" name="reason" maxLength={2_000} placeholder="Optional" />
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={updating.isBusy}>
          Save
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type TriggerFieldsProps = { triggers: Trigger[]; onChange: (triggers: Trigger[]) => void };

function TriggerFields({ triggers, onChange }: TriggerFieldsProps) {
  const change = (at: number, part: Partial<Trigger>) =>
    onChange(triggers.map((trigger, place) => (place === at ? { ...trigger, ...part } : trigger)));
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 text-[13px] font-medium text-soft">Triggers</legend>
      {triggers.map(({ condition, reason }, at) => (
        // A trigger has no id, so its position is the key. oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="flex items-start gap-1">
          <div className="min-w-0 flex-1 space-y-1.5">
            <TextField
              label={`Condition ${at + 1}`}
              isLabelHidden
              placeholder="working on A/B testing"
              required
              maxLength={500}
              value={condition}
              onChange={(event) => change(at, { condition: event.target.value })}
            />
            <TextField
              label={`Reason ${at + 1}`}
              isLabelHidden
              placeholder="why it matters then"
              required
              maxLength={1_000}
              value={reason}
              onChange={(event) => change(at, { reason: event.target.value })}
            />
          </div>
          <Button
            look="quiet"
            size="small"
            aria-label={`Remove condition ${at + 1}`}
            icon={<X className="size-3.5" aria-hidden />}
            onClick={() => onChange(triggers.filter((_trigger, place) => place !== at))}
          />
        </div>
      ))}
      <Button
        look="quiet"
        size="small"
        className="-ml-2"
        icon={<Plus className="size-3.5" aria-hidden />}
        onClick={() => onChange([...triggers, { condition: '', reason: '' }])}
      >
        Add trigger
      </Button>
    </fieldset>
  );
}

/** Only the changed fields. */
function parseCorrection(memory: Memory, triggers: Trigger[], form: FormData): Correction {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const type = memoryTypes.find((each) => each === text('type'));
  const salience = saliences.find((each) => each === text('salience'));
  return {
    id: memory.id,
    ...(text('content') !== memory.content && { content: text('content') }),
    ...(type && type !== memory.type && { type }),
    ...(salience && salience !== memory.salience && { salience }),
    ...(JSON.stringify(triggers) !== JSON.stringify(memory.triggers) && { triggers }),
    ...(text('reason') && { reason: text('reason') }),
  };
}
