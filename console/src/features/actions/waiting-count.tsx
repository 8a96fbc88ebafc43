import { Mark } from '../../design/mark.tsx';
import { useWaitingCount } from './use-waiting-count.ts';

/** The number of drafts that need a person. Its own component, because it changes with every decision. */
export function WaitingCount({ className }: { className?: string }) {
  const waiting = useWaitingCount();
  if (!waiting) return null;
  return (
    <span className={className}>
      {waiting}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The mark of the product, which calls while a draft needs a person. */
export function WaitingMark({ className }: { className: string }) {
  return <Mark className={className} signal={useWaitingCount() > 0 ? 'calls' : 'passes'} />;
}
