import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { useTitle } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { useKeys } from '../../design/use-keys.ts';
import { DraftDetail } from './draft-detail.tsx';
import { DraftList } from './draft-list.tsx';
import { groupsOf } from './groups.ts';
import { InboxTabs } from './inbox-tabs.tsx';
import { ambiguousQuery, pendingQuery } from './requests.ts';

/** What waits for a yes: the list and, beside it, the chosen one. On a phone one or the other. */
export function InboxPage({ draftId }: { draftId: string | undefined }) {
  const pending = useQuery(pendingQuery);
  const waiting = pending.data?.length ?? 0;
  useTitle(waiting ? `Inbox (${waiting})` : 'Inbox');
  const { data: ambiguous = [] } = useQuery(ambiguousQuery);
  const drafts = groupsOf(pending.data ?? []).flatMap((group) => group.drafts);
  const ids = [...ambiguous, ...drafts].map(({ draft_id }) => draft_id);
  useMoveKeys(ids, draftId);
  useFirstChosen(ids[0], draftId);
  const isEmpty = pending.data && !ids.length;
  const isAlone = isEmpty && !draftId;
  return (
    <div className={classNames(!isAlone && 'md:grid md:h-dvh md:grid-cols-[minmax(18rem,23rem)_minmax(0,1fr)]')}>
      <section
        aria-label="Waiting"
        className={classNames(
          'flex min-h-0 flex-col border-line',
          !isAlone && 'md:border-r',
          draftId && 'max-md:hidden',
        )}
      >
        <InboxTabs waiting={waiting} />
        <p role="status" className="sr-only">
          {waiting} waiting
        </p>
        <div className="min-h-0 flex-1 overflow-y-auto">
          {pending.isPending && <Skeleton label="Loading the inbox" />}
          {pending.error && <ErrorState error={pending.error} onRetry={() => void pending.refetch()} />}
          {isEmpty && <NothingWaits />}
          <DraftList ambiguous={ambiguous} drafts={drafts} chosen={draftId} />
        </div>
      </section>
      {!isAlone && (
        <section aria-label="Draft" className={classNames('min-h-0 md:overflow-y-auto', !draftId && 'max-md:hidden')}>
          {draftId && <DraftDetail key={draftId} draftId={draftId} />}
        </section>
      )}
    </div>
  );
}

/**
 * Where there is room, the first draft is chosen by its address and not by its place: one that arrives later must not
 * slip under a finger that is about to approve.
 */
function useFirstChosen(first: string | undefined, chosen: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (chosen || !first || !matchMedia('(min-width: 48rem)').matches) return;
    void navigate({ to: '/inbox/$draftId', params: { draftId: first }, replace: true });
  }, [chosen, first, navigate]);
}

/** `j` and `k` move through the list; after a decision they go on from where it stood. */
function useMoveKeys(ids: readonly string[], chosen: string | undefined): void {
  const navigate = useNavigate();
  const place = useRef(0);
  const at = chosen ? ids.indexOf(chosen) : -1;
  useEffect(() => {
    if (at >= 0) place.current = at;
  }, [at]);
  const move = (step: 1 | -1) => () => {
    const wanted = at >= 0 ? at + step : step > 0 ? place.current : place.current - 1;
    const id = ids[Math.max(0, Math.min(wanted, ids.length - 1))];
    if (id) void navigate({ to: '/inbox/$draftId', params: { draftId: id }, replace: true, resetScroll: false });
  };
  useKeys({ j: move(1), k: move(-1) });
}

function NothingWaits() {
  return (
    <EmptyState
      icon={<Inbox />}
      title="Nothing waits for you"
      action={
        <Link to="/connect" className={buttonClass()}>
          Connect an agent
        </Link>
      }
    >
      When an agent wants to send a mail or change a calendar, it stops here until you say yes.
    </EmptyState>
  );
}
