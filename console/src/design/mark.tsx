import { useId } from 'react';

/** The animation stops after a few rounds, because endless motion distracts and uses the processor. */
const signalLooks = { passes: 'fill-go', waits: 'fill-wait', calls: 'animate-signal fill-wait' };

/** The logo: two lobes, and the signal between them. */
export function Mark({ className, signal = 'passes' }: { className?: string; signal?: keyof typeof signalLooks }) {
  const gap = useId();
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden>
      <mask id={gap}>
        <rect width="24" height="24" fill="white" />
        <rect x="10.2" width="3.6" height="24" fill="black" />
        <circle cx="12" cy="12" r="5" fill="black" />
      </mask>
      <circle cx="12" cy="12" r="10.5" fill="currentColor" mask={`url(#${gap})`} />
      <circle cx="12" cy="12" r="2.9" className={signalLooks[signal]} />
    </svg>
  );
}
