import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { ErrorState, Skeleton } from '../design/states.tsx';
import { Countdown } from '../features/actions/countdown.tsx';
import { aimOf, headlineOf } from '../features/actions/draft-words.ts';
import { SourceIcon } from '../features/integrations/source-sign.tsx';
import { pendingQuery } from '../features/actions/requests.ts';
import { HomeCard, HomeEmpty } from './home-card.tsx';

/** The newest drafts that wait. */
export function WaitingCard() {
  const { data, error, isPending, refetch } = useQuery(pendingQuery);
  const drafts = data?.drafts;
  return (
    <HomeCard title="Waiting for you" to="/inbox">
      {isPending && <Skeleton rows={2} label="Loading the inbox" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {drafts?.length === 0 && (
        <HomeEmpty icon={<Inbox />}>When an agent wants to send something, it waits here for your yes.</HomeEmpty>
      )}
      <ul className="divide-y divide-line">
        {drafts?.slice(0, 4).map((draft) => (
          <li key={draft.draft_id}>
            <Link
              to="/inbox/$draftId"
              params={{ draftId: draft.draft_id }}
              className="flex items-start gap-3 px-5 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <SourceIcon name={draft.source} className="mt-0.5 size-4 shrink-0 text-faint" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{headlineOf(draft)}</span>
                <span className="block truncate text-[13px] text-faint">
                  {draft.drafted_by} → {aimOf(draft)}
                  {draft.delegated_by && ` · for ${draft.delegated_by}`}
                </span>
              </span>
              <span className="text-xs">
                <Countdown until={draft.expires_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}
