import type { ReactNode } from 'react';
import { Button } from './button.tsx';

type Props = {
  /** What is unsaved, or why it cannot be saved. */
  children?: ReactNode;
  onDiscard: () => void;
  /** Absent: the button submits the form around the bar. */
  onSave?: () => void;
  isBusy?: boolean;
};

/** The bar at the bottom of a page with unsaved changes. */
export function SaveBar({ children = 'You have unsaved changes.', onDiscard, onSave, isBusy = false }: Props) {
  return (
    <div className="sticky bottom-4 z-10 flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-line bg-raised px-5 py-3 shadow-lift max-md:bottom-20">
      <p className="min-w-0 flex-1 basis-52 text-sm text-soft">{children}</p>
      <span className="flex gap-2">
        <Button onClick={onDiscard}>Discard</Button>
        <Button look="primary" type={onSave ? 'button' : 'submit'} isBusy={isBusy} onClick={onSave}>
          Save
        </Button>
      </span>
    </div>
  );
}
