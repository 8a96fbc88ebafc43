import { useEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { isOutOfDate, issuesOf, messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { changesOf, formText, movedEnd } from './form-values.ts';
import { PayloadField } from './payload-field.tsx';
import type { Draft } from './requests.ts';
import { useEdit } from './use-edit.ts';

type Props = {
  /** As it was when the form was opened: what came to it since is not overwritten. */
  draft: Draft;
  onDone: () => void;
  /** Opens the form anew on the draft as it is by now. */
  onStartAnew: () => void;
};

/**
 * Edits a draft before it is approved; offers the fields the server lets a person edit and no other. What could not be sent is
 * told at its field.
 */
export function PayloadForm({ draft, onDone, onStartAnew }: Props) {
  const { payload, editable } = draft;
  const saving = useEdit(draft);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [saving.error]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changed = changesOf(new FormData(event.currentTarget), payload, editable);
    if (Object.keys(changed).length) saving.mutate({ edits: changed }, { onSuccess: onDone });
    else onDone();
  };
  const start = useRef(formText(payload, 'start'));
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    const end = currentTarget.elements.namedItem('end');
    if (!(target instanceof HTMLInputElement) || target.name !== 'start' || !(end instanceof HTMLInputElement)) return;
    if (!target.value) return; // it is being typed
    end.value = movedEnd(end.value, { from: start.current, to: target.value });
    start.current = target.value;
  };
  const issues = issuesOf(saving.error);
  const isOfNoField = saving.isError && !editable.some((field) => issues.has(field));
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') onDone();
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
        {editable.map((field, at) => (
          <PayloadField key={field} field={field} payload={payload} isFirst={at === 0} error={issues.get(field)} />
        ))}
        {isOfNoField && (
          <Notice tone="stop">
            <p>{messageOf(saving.error)}</p>
            {isOutOfDate(saving.error) && (
              <Button className="mt-2" size="small" onClick={onStartAnew}>
                Edit the newer draft
              </Button>
            )}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={saving.isPending}>
            Keep changes <Kbd>⌘↵</Kbd>
          </Button>
        </div>
      </form>
    </Card>
  );
}
