import type { FormEvent, KeyboardEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card } from '../../design/page.tsx';
import { addressesIn, momentIn, textIn } from './payload.ts';
import type { Payload } from './requests.ts';

const longFields = new Set(['body', 'description', 'content']);
const addressFields = new Set(['to', 'cc', 'bcc', 'attendees']);
const momentFields = new Set(['start', 'end']);

type Props = {
  payload: Payload;
  editable: readonly string[];
  /** Gets only the fields that were changed. */
  onSave: (changed: Payload) => void;
  onCancel: () => void;
};

/** Changes a draft before it is approved; offers the fields the server lets a person change and no other. */
export function PayloadForm({ payload, editable, onSave, onCancel }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSave(changesOf(new FormData(event.currentTarget), payload, editable));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') onCancel();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
  };
  return (
    <Card>
      <form onSubmit={submit} onKeyDown={onKeyDown} className="space-y-4 p-5 sm:p-6" aria-label="Edit the draft">
        {editable.map((field, at) => (
          <PayloadField key={field} field={field} payload={payload} isFirst={at === 0} />
        ))}
        <div className="flex justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button look="primary" type="submit">
            Keep changes <Kbd>⌘↵</Kbd>
          </Button>
        </div>
      </form>
    </Card>
  );
}

function PayloadField({ field, payload, isFirst }: { field: string; payload: Payload; isFirst: boolean }) {
  const label = field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const props = { label, name: field, defaultValue: formText(payload, field), autoFocus: isFirst };
  if (longFields.has(field)) return <TextArea {...props} className="min-h-48" />;
  if (field === 'send_updates')
    return (
      <SelectField {...props} label="Invitations">
        <option value="all">Send to everybody</option>
        <option value="externalOnly">Send to people outside</option>
        <option value="none">Send none</option>
      </SelectField>
    );
  if (addressFields.has(field))
    return <TextField {...props} hint={isFirst ? 'Several, with commas between them.' : undefined} />;
  return <TextField {...props} />;
}

function formText(payload: Payload, field: string): string {
  if (addressFields.has(field)) return addressesIn(payload, field).join(', ');
  return momentFields.has(field) ? momentIn(payload, field).at : textIn(payload, field);
}

function changesOf(form: FormData, payload: Payload, editable: readonly string[]): Payload {
  const changed = editable.filter((field) => String(form.get(field) ?? '') !== formText(payload, field));
  return Object.fromEntries(changed.map((field) => [field, valueOf(String(form.get(field) ?? ''), field, payload)]));
}

/** A field's text in the shape the payload has it. */
function valueOf(text: string, field: string, payload: Payload): unknown {
  if (addressFields.has(field)) {
    return text
      .split(/[,;\n]/)
      .map((address) => address.trim())
      .filter(Boolean);
  }
  const before = payload[field];
  if (momentFields.has(field) && typeof before === 'object' && before !== null) {
    return { ...before, [momentIn(payload, field).isWholeDay ? 'date' : 'dateTime']: text };
  }
  return text;
}
