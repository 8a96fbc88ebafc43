import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { issuesOf, messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { addressesIn, momentIn, textIn } from './payload.ts';
import { checkEdits, type Payload } from './requests.ts';

const longFields = new Set(['body', 'description', 'content', 'text']);
const addressFields = new Set(['to', 'cc', 'bcc', 'attendees']);
const momentFields = new Set(['start', 'end']);

type Props = {
  draftId: string;
  payload: Payload;
  /** What was changed before. */
  edits: Payload;
  editable: readonly string[];
  /** Gets only the fields that were changed. */
  onSave: (changed: Payload) => void;
  onCancel: () => void;
};

/**
 * Changes a draft before it is approved; offers the fields the server lets a person change and no other. What could not be sent is
 * told at its field, before anybody approves it.
 */
export function PayloadForm({ draftId, payload, edits, editable, onSave, onCancel }: Props) {
  const checking = useMutation({
    mutationFn: (changed: Payload) => checkEdits({ draft_id: draftId, edits: { ...edits, ...changed } }),
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (checking.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [checking.error]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changed = changesOf(new FormData(event.currentTarget), payload, editable);
    // Told here and not with the mutation: who leaves the form while it is checked keeps nothing.
    checking.mutate(changed, { onSuccess: () => onSave(changed) });
  };
  const issues = issuesOf(checking.error);
  const isOfNoField = checking.isError && !editable.some((field) => issues.has(field));
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') onCancel();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
  };
  return (
    <Card>
      <form
        ref={form}
        onSubmit={submit}
        onKeyDown={onKeyDown}
        className="space-y-4 p-5 sm:p-6"
        aria-label="Edit the draft"
      >
        {editable.map((field, at) => (
          <PayloadField key={field} field={field} payload={payload} isFirst={at === 0} error={issues.get(field)} />
        ))}
        {isOfNoField && <Notice tone="stop">{messageOf(checking.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={checking.isPending}>
            Keep changes <Kbd>⌘↵</Kbd>
          </Button>
        </div>
      </form>
    </Card>
  );
}

type FieldProps = { field: string; payload: Payload; isFirst: boolean; error: string | undefined };

function PayloadField({ field, payload, isFirst, error }: FieldProps) {
  const label = field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const props = { label, name: field, defaultValue: formText(payload, field), autoFocus: isFirst, error };
  if (isObject(payload, field))
    return (
      <TextArea
        {...props}
        className="min-h-32 font-mono text-[13px]"
        hint="As JSON."
        onChange={({ target }) => target.setCustomValidity(isJson(target.value) ? '' : 'This has to be a JSON object.')}
      />
    );
  if (field === 'send_updates')
    return (
      <SelectField {...props} label="Invitations">
        <option value="all">Send to everybody</option>
        <option value="externalOnly">Send to people outside</option>
        <option value="none">Send none</option>
      </SelectField>
    );
  if (longFields.has(field)) return <TextArea {...props} className="min-h-48" />;
  if (typeof payload[field] === 'boolean')
    return (
      <SelectField {...props}>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </SelectField>
    );
  if (isList(payload, field))
    return (
      <TextArea
        {...props}
        className="min-h-9!"
        hint={addressFields.has(field) ? isFirst && 'One on each line.' : 'One on each line; a comma belongs to it.'}
      />
    );
  return <TextField {...props} />;
}

function isList(payload: Payload, field: string): boolean {
  return addressFields.has(field) || Array.isArray(payload[field]);
}

/** A field of fields, such as the columns of an item; times have a field of their own. */
function isObject(payload: Payload, field: string): boolean {
  const value = payload[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !momentFields.has(field);
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function formText(payload: Payload, field: string): string {
  if (isObject(payload, field)) return JSON.stringify(payload[field], null, 2);
  if (isList(payload, field)) return addressesIn(payload, field).join('\n');
  if (typeof payload[field] === 'boolean') return String(payload[field]);
  return momentFields.has(field) ? momentIn(payload, field).at : textIn(payload, field);
}

/** Addresses may have commas between them, too, as they are pasted; one in quotes or angle brackets belongs to its address. */
function entriesIn(text: string, isOfAddresses: boolean): string[] {
  const lines = text.split('\n');
  const entries = isOfAddresses ? lines.flatMap((line) => line.match(/(?:"[^"]*"|<[^>]*>|[^,;])+/g) ?? []) : lines;
  return entries.map((entry) => entry.trim()).filter(Boolean);
}

function changesOf(form: FormData, payload: Payload, editable: readonly string[]): Payload {
  const changed = editable.filter((field) => String(form.get(field) ?? '') !== formText(payload, field));
  return Object.fromEntries(changed.map((field) => [field, valueOf(String(form.get(field) ?? ''), field, payload)]));
}

/** A field's text in the shape the payload has it. */
function valueOf(text: string, field: string, payload: Payload): unknown {
  if (isList(payload, field)) return entriesIn(text, addressFields.has(field));
  const before = payload[field];
  if (isObject(payload, field)) return JSON.parse(text) as Payload; // the form takes nothing else
  if (typeof before === 'boolean') return text === 'true';
  if (momentFields.has(field) && typeof before === 'object' && before !== null) {
    return { ...before, [momentIn(payload, field).isWholeDay ? 'date' : 'dateTime']: text };
  }
  return text;
}
