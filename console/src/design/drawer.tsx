import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
};

/** One item in full, beside its list. On a phone it rises from below. */
export function Drawer(props: Props) {
  return <Dialog {...props} place="side" />;
}
