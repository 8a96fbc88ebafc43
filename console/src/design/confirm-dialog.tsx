import { useState, type ReactNode } from 'react';
import { formatErrorMessage } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Notice } from './states.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** The question: “Delete this destination?” */
  title: string;
  /** What happens, and whether it can be undone. */
  description?: ReactNode;
  /** The button, which names the act and its extent: “Delete destination”. */
  act: string;
  onConfirm: () => void;
  isBusy?: boolean;
  /** Why the act failed. It is shown above the buttons. */
  error?: unknown;
  /** `stop` for acts that delete or end something, `primary` for others. */
  look?: 'stop' | 'danger' | 'primary' | 'go';
  /** A word that must be typed first, such as the name of the item to delete. */
  typed?: string;
  cancel?: string;
  /** More about the act, or a choice that belongs to it. */
  children?: ReactNode;
};

/** Asks for confirmation before an act. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, title, description, children } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description}>
      {children}
      <Form {...props} />
    </Dialog>
  );
}

/** Inside the dialog, so that it resets each time the dialog opens. */
function Form({ onClose, act, onConfirm, isBusy = false, error, look = 'stop', typed, cancel = 'Cancel' }: Props) {
  const [text, setText] = useState('');
  return (
    <form
      className="mt-2 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // a form around the dialog must not be submitted
        onConfirm();
      }}
    >
      {error !== undefined && error !== null && <Notice tone="stop">{formatErrorMessage(error)}</Notice>}
      {typed !== undefined && (
        <TextField
          label={`Type ${typed} to confirm`}
          autoFocus
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{cancel}</Button>
        <Button look={look} type="submit" isBusy={isBusy} disabled={typed !== undefined && text !== typed}>
          {act}
        </Button>
      </div>
    </form>
  );
}
