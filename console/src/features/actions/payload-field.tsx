import type { ReactNode } from 'react';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import {
  formatFormField,
  isJson,
  isList,
  isObject,
  isOfAddresses,
  findMomentKind,
  formatUntouchedField,
} from './form-values.ts';
import type { Draft } from './requests.ts';

const longFields = new Set(['body', 'description', 'content', 'text']);

type Props = {
  field: string;
  draft: Draft;
  /** Unsaved text from before. */
  typed: string | undefined;
  isFirst: boolean;
  error: string | undefined;
};

/** A field of a draft, with a control for its type of value. */
export function PayloadField({ field, draft, typed, isFirst, error }: Props) {
  const { payload } = draft;
  const untouched = formatUntouchedField(draft, field);
  const stays = untouched !== null && <Unchanged now={untouched} />;
  const label = field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const defaultValue = typed ?? formatFormField(payload, field);
  const props = { label, name: field, defaultValue, autoFocus: isFirst, error };
  const moment = findMomentKind({ ...draft.present, ...payload }, field);
  if (moment) {
    const { type, hint } = momentProps[moment];
    return <TextField {...props} type={type} hint={joinHints(stays, hint)} />;
  }
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
  if (longFields.has(field)) return <TextArea {...props} className="min-h-48" hint={stays} />;
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
        hint={joinHints(
          stays,
          isOfAddresses(field) ? isFirst && 'One per line.' : 'One per line. A line may contain commas.',
        )}
      />
    );
  return <TextField {...props} hint={stays} />;
}

const mostShown = 300;

/** An empty field of a change erases nothing. */
function Unchanged({ now }: { now: string }) {
  const text = now.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2})?$/, '$1 $2');
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      Unchanged while it is empty.{text && ` Now: ${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}`}
    </span>
  );
}

function joinHints(first: ReactNode, second: ReactNode): ReactNode {
  return first && second ? (
    <>
      {first} · {second}
    </>
  ) : (
    first || second
  );
}

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const momentProps: Record<NonNullable<ReturnType<typeof findMomentKind>>, { type: string; hint?: string }> = {
  day: { type: 'date' },
  clock: { type: 'datetime-local', hint: `Your time zone: ${zone}.` },
};
