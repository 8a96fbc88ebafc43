import type { ReactNode } from 'react';
import { useLetterKeys } from './letter-keys.ts';

/** A keyboard key, shown on devices with a keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  if (!useLetterKeys()) return null;
  return (
    <kbd
      aria-hidden
      className="hidden min-w-5 items-center justify-center rounded border border-current/25 px-1 font-sans text-[11px] leading-[18px] font-medium opacity-75 sm:inline-flex"
    >
      {children}
    </kbd>
  );
}
