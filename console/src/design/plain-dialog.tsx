import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
};

/**
 * A dialog that only shows something, or that leads through several steps. Use `ConfirmDialog` for a question, `FormDialog`
 * for fields.
 */
export function PlainDialog(props: Props) {
  return <Dialog {...props} place="center" />;
}
