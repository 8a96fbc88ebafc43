import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { SplitPage } from '../../design/split-page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { DraftDetail } from './draft-detail.tsx';
import { DraftList } from './draft-list.tsx';
import { useUnasked, type AllowedShare } from './without-approval.ts';
import { useTriage } from './use-triage.ts';
import { useWaiting } from './use-waiting.ts';

/** Drafts that need approval: the list and, beside it, the selected draft. Below 1024 px there is one of the two. */
export function InboxPage({ draftId }: { draftId: string | undefined }) {
  const { list, ambiguous, lines, drafts, places, total } = useWaiting();
  const waiting = total + ambiguous.length;
  const { moveOnFrom } = useTriage({ drafts, places }, draftId);
  const isEmpty = list.isSuccess && !drafts.length && !list.hasNextPage;
  const chosenPlace = draftId === undefined ? undefined : places.get(draftId);
  return (
    <SplitPage
      title="Inbox"
      tabTitle={waiting ? `Inbox (${waiting})` : 'Inbox'}
      listLabel="Waiting"
      detailLabel="Draft"
      isListAlone={isEmpty && !draftId}
      list={
        <>
          <p role="status" className="sr-only">
            {waiting} waiting
          </p>
          {list.isPending && <Skeleton label="Loading the inbox" />}
          {list.error && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
          {isEmpty && <NothingWaits />}
          <DraftList
            ambiguous={ambiguous}
            lines={lines}
            total={total}
            chosen={draftId}
            isReading={list.isFetchingNextPage}
            onNearEnd={list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined}
          />
        </>
      }
      detail={
        draftId && (
          <DraftDetail
            key={draftId}
            draftId={draftId}
            listed={chosenPlace === undefined ? undefined : drafts[chosenPlace]}
            moveOn={moveOnFrom}
          />
        )
      }
    />
  );
}

const whatStops: Record<AllowedShare, string> = {
  none: 'When an agent wants to send a mail or change a calendar, its draft waits here for your approval.',
  some: 'Drafts that need approval wait here. Your rules allow some actions without approval.',
  all: 'Your rules allow all actions without approval, so no drafts wait here.',
};

function NothingWaits() {
  const share = useUnasked();
  return (
    <EmptyState
      icon={<Inbox />}
      title="No drafts to review"
      action={
        <Link to="/agents/connect" className={getButtonClass()}>
          Connect an agent
        </Link>
      }
    >
      {share && whatStops[share]}
    </EmptyState>
  );
}
