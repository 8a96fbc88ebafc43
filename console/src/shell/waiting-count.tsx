/** The number of drafts that need a person. Its own component, because it changes with every decision. */
import { Mark } from '../design/mark.tsx';
import { useWaitingCount } from '../features/actions/use-waiting-count.ts';

export function WaitingCount({ className }: { className: string }) {
  const waiting = useWaitingCount();
  if (!waiting) return null;
  return (
    <span className={className}>
      {waiting}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

export function WaitingMark({ className }: { className: string }) {
  return <Mark className={className} signal={useWaitingCount() > 0 ? 'calls' : 'passes'} />;
}
