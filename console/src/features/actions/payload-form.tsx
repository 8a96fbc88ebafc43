import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { issuesOf, messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Kbd } from '../../design/kbd.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { changesOf, formText, movedEnd } from './form-values.ts';
import { PayloadField } from './payload-field.tsx';
import { checkEdits, type Payload } from './requests.ts';

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
  const start = useRef(formText(payload, 'start'));
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    const end = currentTarget.elements.namedItem('end');
    if (!(target instanceof HTMLInputElement) || target.name !== 'start' || !(end instanceof HTMLInputElement)) return;
    if (!target.value) return; // it is being typed
    end.value = movedEnd(end.value, { from: start.current, to: target.value });
    start.current = target.value;
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
        onInput={onInput}
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
