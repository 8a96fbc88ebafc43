import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { formatErrorMessage, isCancelled } from '../api/api-error.ts';
import { Button, type ButtonLook } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { readFormFields, type FormFields } from './form-fields.ts';
import { Notice } from './states.tsx';
import { useCall, type CallOptions } from './use-call.ts';

type Props<Answer> = Pick<CallOptions<FormFields, Answer>, 'refreshes' | 'success' | 'onSuccess'> & {
  /** Default: open as long as it is mounted. */
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  /** The consequences of the action. */
  description?: ReactNode;
  /** The fields, with names. They begin anew each time the dialog opens. */
  children?: ReactNode;
  /** The button, which names the act: “Create brain”. */
  act: ReactNode;
  look?: ButtonLook;
  /** Something that the form needs is missing. */
  isOff?: boolean;
  /** Calls the operation with what the fields say. An error is shown above the fields, and the form stays. */
  run: (fields: FormFields) => Promise<Answer>;
  /** What replaces the form after success, such as a key. Without it the dialog closes. */
  renderAnswer?: (answer: Answer) => ReactNode;
  /** Replaces closing: stops the current call. */
  onCancel?: (() => void) | undefined;
};

/** A dialog that asks for something: fields, an error above them, Cancel, and one act. */
export function FormDialog<Answer>(props: Props<Answer>) {
  const { isOpen = true, onClose, title, description } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description}>
      <Form {...props} />
    </Dialog>
  );
}

/** In the dialog, so that it begins anew each time it opens. */
function Form<Answer>(props: Props<Answer>) {
  const { onClose, act, look = 'primary', isOff = false, run, refreshes, success, renderAnswer, children } = props;
  const calling = useCall(run, {
    refreshes,
    success,
    onSuccess: (answer, fields) => {
      if (!renderAnswer) onClose();
      return props.onSuccess?.(answer, fields);
    },
  });
  if (renderAnswer && calling.answer !== undefined) return renderAnswer(calling.answer);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation(); // a form around the dialog is not meant
    if (!isOff && !calling.isBusy) calling.call(readFormFields(event.currentTarget));
  };
  return (
    <form onSubmit={submit} onKeyDown={submitByKeys} className="mt-1 space-y-4">
      {calling.error && !isCancelled(calling.error) && <Notice tone="stop">{formatErrorMessage(calling.error)}</Notice>}
      {children}
      <div className="-mx-5 -mb-5 flex flex-wrap justify-end gap-2 bg-raised px-5 pt-2 pb-5 max-sm:sticky max-sm:-bottom-5 max-sm:z-10">
        <Button onClick={props.onCancel ?? onClose}>Cancel</Button>
        <Button look={look} type="submit" disabled={isOff} isBusy={calling.isBusy}>
          {act}
        </Button>
      </div>
    </form>
  );
}

/** Also from a text of several lines, where Enter begins a new one. */
function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
}
