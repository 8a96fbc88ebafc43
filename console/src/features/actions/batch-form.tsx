import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { DangerMark } from './danger-mark.tsx';
import { approveAllWord, formatTarget, getDraftHeadline } from './draft-words.ts';
import { EditedNote, PayloadBody } from './payload-view.tsx';
import { buildBatchQuery, type Draft } from './requests.ts';
import { unreadMs } from './use-triage.ts';
import { useBatchDecision, type BatchChoice } from './use-batch-decision.ts';

/** The most drafts that a person can review. Approved drafts must all be shown, declined ones need not. */
export const mostApproved = 500;
const mostDeclinedShown = 100;

type Props = { batchId: string; waiting: readonly Draft[]; choice: BatchChoice; onClose: () => void };

/**
 * The whole batch, fetched again, because the list may be incomplete. Only shown drafts are decided. Drafts in
 * `waiting` (the batch in the list) that arrived later are announced, and shown on request.
 */
export function BatchForm({ batchId, waiting, choice, onClose }: Props) {
  const { data: drafts, error, isPending, isFetching, refetch } = useQuery(buildBatchQuery(batchId));
  if (isPending) return <Skeleton label="Loading the batch" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = new Set(drafts.map(({ draft_id }) => draft_id));
  const late = waiting.filter(({ draft_id }) => !shown.has(draft_id)).length;
  return (
    <Decide drafts={drafts} isReading={isFetching} choice={choice} onClose={onClose}>
      {late > 0 && <Late howMany={late} isBusy={isFetching} onShow={() => void refetch()} />}
    </Decide>
  );
}

function Late({ howMany, isBusy, onShow }: { howMany: number; isBusy: boolean; onShow: () => void }) {
  return (
    <div className="mb-3">
      <Notice tone="wait">
        <div className="flex items-center gap-3">
          <p className="flex-1">
            {howMany.toLocaleString()} more arrived since. Drafts that are not shown here stay waiting.
          </p>
          <Button size="small" isBusy={isBusy} onClick={onShow}>
            Show {howMany === 1 ? 'it' : 'them'} too
          </Button>
        </div>
      </Notice>
    </div>
  );
}

type DecideProps = {
  drafts: readonly Draft[];
  isReading: boolean;
  choice: BatchChoice;
  onClose: () => void;
  children: ReactNode;
};

function Decide({ drafts, isReading, choice, onClose, children }: DecideProps) {
  const deciding = useBatchDecision(choice, onClose);
  const mayApprove = drafts.length <= mostApproved && drafts.every(({ preview }) => preview.is_complete);
  const isRefused = choice === 'approve' && !mayApprove;
  const isUnread = useIsUnread(drafts);
  const mostShown = choice === 'approve' ? mostApproved : mostDeclinedShown;
  return (
    <>
      {!deciding.isBusy && children}
      {isRefused && <Notice tone="wait">Too much to show at once. Approve or decline one by one.</Notice>}
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-xl border border-line text-sm">
        {drafts.slice(0, mostShown).map((draft) => (
          <Member key={draft.draft_id} draft={draft} />
        ))}
        {drafts.length > mostShown && (
          <li className="px-3.5 py-2.5 text-soft">and {(drafts.length - mostShown).toLocaleString()} more</li>
        )}
      </ul>
      <div className="mt-4 flex items-center justify-end gap-2">
        <p role="status" className="flex-1 text-[13px] text-soft">
          {deciding.isBusy && `${deciding.decided} of ${drafts.length} decided`}
        </p>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={choice === 'decline' ? 'stop' : drafts.some(({ danger }) => danger.length) ? 'danger' : 'go'}
          disabled={isRefused || isReading || isUnread || !drafts.length}
          isBusy={deciding.isBusy}
          onClick={() => deciding.call(drafts)}
        >
          {choice === 'approve' ? approveAllWord(drafts) : `Decline ${drafts.length}`}
        </Button>
      </div>
    </>
  );
}

/** Whether drafts were added a moment ago, so that a click may be meant for the former ones. */
function useIsUnread(drafts: readonly Draft[]): boolean {
  const [seen, setSeen] = useState(drafts);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(drafts), unreadMs);
    return () => clearTimeout(timer);
  }, [drafts]);
  return seen !== drafts;
}

/** Rendered only when visible, because there may be hundreds. */
function Member({ draft }: { draft: Draft }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <details className="group" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="flex items-center gap-3 px-3.5 py-2.5 marker:content-none hover:bg-hover focus-visible:-outline-offset-2">
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{formatTarget(draft)}</span>
            <span className="block truncate text-soft">{getDraftHeadline(draft)}</span>
          </span>
          <span className="text-xs">
            <DangerMark draft={draft} />
          </span>
          <ChevronDown className="size-4 text-faint transition-transform group-open:rotate-180" aria-hidden />
        </summary>
        <div className="border-t border-line bg-surface">
          {isOpen && <EditedNote draft={draft} />}
          {isOpen && <PayloadBody draft={draft} />}
        </div>
      </details>
    </li>
  );
}
