import type { ComponentProps } from 'react';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { formText, isJson, isList, isObject, isOfAddresses, momentKind } from './form-values.ts';
import type { Payload } from './requests.ts';

const longFields = new Set(['body', 'description', 'content', 'text']);

type Props = {
  field: string;
  payload: Payload;
  /** Unsaved text from before. */
  typed: string | undefined;
  isFirst: boolean;
  error: string | undefined;
};

/** A field of a draft, with a control for its type of value. */
export function PayloadField({ field, payload, typed, isFirst, error }: Props) {
  const label = field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const defaultValue = typed ?? formText(payload, field);
  const props = { label, name: field, defaultValue, autoFocus: isFirst, error };
  const moment = momentKind(payload, field);
  if (moment) return <TextField {...props} {...momentProps[moment]} />;
  if (isObject(payload, field))
    return (
      <TextArea
        {...props}
        className="min-h-32 font-mono text-[13px]"
        hint="As JSON."
        onChange={({ target }) => target.setCustomValidity(isJson(target.value) ? '' : 'Enter a JSON object.')}
      />
    );
  if (field === 'send_updates')
    return (
      <SelectField {...props} label="Invitations">
        <option value="all">Send to everybody</option>
        <option value="externalOnly">Send to external people</option>
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
        hint={isOfAddresses(field) ? isFirst && 'One per line.' : 'One per line. A line may contain commas.'}
      />
    );
  return <TextField {...props} />;
}

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const momentProps: Record<NonNullable<ReturnType<typeof momentKind>>, Partial<ComponentProps<typeof TextField>>> = {
  day: { type: 'date' },
  clock: { type: 'datetime-local', hint: `Your time zone: ${zone}.` },
};
