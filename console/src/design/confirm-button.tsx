import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useCall, type CallOptions } from './use-call.ts';

type Props = {
  /** What the button says: “Delete”. */
  label: string;
  /** What it is about, for screen readers: “link Releases”. */
  about: string;
  title: string;
  description: ReactNode;
  /** The button of the dialog: “Delete link”. */
  act: string;
  run: () => Promise<unknown>;
} & Pick<CallOptions<void, unknown>, 'refreshes' | 'success'>;

/** A small button of a row that deletes or ends something, once its question is confirmed. */
export function ConfirmButton({ label, about, title, description, act, run, refreshes, success }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const { call, isBusy, error } = useCall(run, {
    ...(refreshes && { refreshes }),
    ...(success && { success }),
    onSuccess: close,
  });
  return (
    <>
      <Button size="small" look="stop" aria-label={`${label} ${about}`} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        {...{ title, description, act, isBusy, error }}
        onConfirm={() => call()}
      />
    </>
  );
}
