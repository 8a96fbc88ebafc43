import { ArrowRight } from 'lucide-react';
import { Mark } from '../../design/mark.tsx';
import { formatTarget } from './draft-words.ts';
import type { Draft, DraftStatus } from './requests.ts';

/** The route of a draft: its author, the approval, and its destination. */
export function RouteLine({ draft, status }: { draft: Draft; status: DraftStatus }) {
  const isWaiting = status === 'pending' || status === 'confirming' || status === 'ambiguous';
  return (
    <p className="flex min-w-0 items-center gap-2 text-[13px] text-soft">
      <span className="truncate">{draft.drafted_by}</span>
      <ArrowRight className="size-3.5 shrink-0 text-faint" aria-label="to the gate" />
      <Mark className="size-4.5 shrink-0" signal={isWaiting ? 'waits' : 'passes'} />
      <ArrowRight className="size-3.5 shrink-0 text-faint" aria-label="then to" />
      <span className="truncate">{formatTarget(draft)}</span>
    </p>
  );
}
