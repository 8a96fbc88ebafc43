import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { isConflict, getInputIssues, formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { narrowToEditedPart } from './edited-part.ts';
import { listFormChanges, formatFormField, shiftEnd, formatUntouchedField } from './form-values.ts';
import { PayloadField } from './payload-field.tsx';
import type { Draft } from './requests.ts';
import { forgetUnsavedTexts, saveUnsavedTexts, findUnsavedTexts, type Texts } from './unsaved-edits.ts';
import { useEdit } from './use-edit.ts';

type Props = {
  /** The draft when the form was opened, so that later changes are not overwritten. */
  draft: Draft;
  onDone: () => void;
  /** Reopens the form on the current draft. */
  onStartAnew: () => void;
};

/** Edits a draft before approval. Offers only the fields that the server allows, and shows errors at their fields. */
export function PayloadForm({ draft, onDone, onStartAnew }: Props) {
  const { editable } = draft;
  const fields = narrowToEditedPart(draft);
  const saving = useEdit(draft);
  const [typed] = useState(() => findUnsavedTexts(draft) ?? {});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [saving.error]);
  const close = () => {
    forgetUnsavedTexts(draft.draft_id);
    onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changed = listFormChanges(new FormData(event.currentTarget), fields);
    if (Object.keys(changed).length) saving.call({ edits: changed }, { onSuccess: close });
    else close();
  };
  const start = useRef(typed['start'] ?? getTextBeforeEdit(fields, 'start'));
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    if (target instanceof HTMLInputElement && target.name === 'start' && target.value) {
      moveEnd(currentTarget, getTextBeforeEdit(fields, 'end'), { from: start.current, to: target.value });
      start.current = target.value;
    }
    saveUnsavedTexts(draft, new FormData(currentTarget));
  };
  const issues = getInputIssues(saving.error);
  const isOfNoField = saving.error !== null && !editable.some((field) => issues.has(field));
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
  };
  return (
    <Card>
      <form
        ref={form}
        onSubmit={submit}
        onInput={onInput}
        onKeyDown={onKeyDown}
        className="space-y-4 p-5 sm:p-6"
        aria-label="Edit the draft"
      >
        <Fields draft={fields} typed={typed} issues={issues} />
        {isOfNoField && <Refusal error={saving.error} onStartAnew={onStartAnew} />}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={saving.isBusy}>
            Save <Kbd>⌘↵</Kbd>
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** A field before it was edited: of an untouched one, the present value. */
function getTextBeforeEdit(draft: Draft, field: string): string {
  return formatUntouchedField(draft, field) ?? formatFormField(draft.payload, field);
}

/** Moving the start keeps the duration, also where the change touched neither. */
function moveEnd(form: HTMLFormElement, before: string, start: { from: string; to: string }): void {
  const end = form.elements.namedItem('end');
  if (end instanceof HTMLInputElement) end.value = shiftEnd(end.value || before, start);
}

function Refusal({ error, onStartAnew }: { error: Error | null; onStartAnew: () => void }) {
  return (
    <Notice tone="stop">
      <p>{formatErrorMessage(error)}</p>
      {isConflict(error) && (
        <Button className="mt-2" size="small" onClick={onStartAnew}>
          Edit the newer draft
        </Button>
      )}
    </Notice>
  );
}

type FieldsProps = { draft: Draft; typed: Texts; issues: ReadonlyMap<string, string> };

function Fields({ draft, typed, issues }: FieldsProps) {
  return (
    <>
      {Object.keys(typed).length > 0 && (
        <p role="status" className="text-[13px] text-soft">
          Your unsaved text is here. Save it, or cancel to discard it.
        </p>
      )}
      {draft.editable.map((field, at) => (
        <PayloadField
          key={field}
          field={field}
          draft={draft}
          typed={typed[field]}
          isFirst={at === 0}
          error={issues.get(field)}
        />
      ))}
    </>
  );
}
