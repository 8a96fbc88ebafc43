import { useId } from 'react';
import { classNames } from './class-names.ts';

/** The gate: two lobes and the signal that passes between them. The signal breathes while something waits. */
export function Mark({ className, isWaiting = false }: { className?: string; isWaiting?: boolean }) {
  const gap = useId();
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden>
      <mask id={gap}>
        <rect width="24" height="24" fill="white" />
        <rect x="10.2" width="3.6" height="24" fill="black" />
        <circle cx="12" cy="12" r="5" fill="black" />
      </mask>
      <circle cx="12" cy="12" r="10.5" fill="currentColor" mask={`url(#${gap})`} />
      <circle cx="12" cy="12" r="2.9" className={classNames(isWaiting ? 'animate-signal fill-wait' : 'fill-go')} />
    </svg>
  );
}
