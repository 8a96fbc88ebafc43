import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { Tag } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Countdown } from '../actions/countdown.tsx';
import { formatTarget, getDraftHeadline, describeDraftStatus } from '../actions/draft-words.ts';
import { SourceIcon } from '../../design/source-sign.tsx';
import { ambiguousQuery, pendingQuery, type Draft } from '../actions/requests.ts';
import { useUnasked, type AllowedShare } from '../actions/without-approval.ts';
import { HomeCard, HomeEmpty } from './home-card.tsx';

const mostShown = 4;

const whatWaits: Record<AllowedShare, string> = {
  none: 'Drafts of your agents wait here for your approval.',
  some: 'Drafts that need approval wait here. Your rules allow some actions without approval.',
  all: 'Your rules allow all actions without approval.',
};

/** Drafts with an unknown outcome first, then the newest pending drafts. */
export function WaitingCard() {
  const share = useUnasked();
  const { data, error, isPending, refetch } = useQuery(pendingQuery);
  const { data: ambiguous = [] } = useQuery(ambiguousQuery);
  const drafts = [...ambiguous, ...(data?.drafts ?? [])];
  return (
    <HomeCard title="Drafts to review" to="/inbox">
      {isPending && <Skeleton rows={2} label="Loading the inbox" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && drafts.length === 0 && <HomeEmpty icon={<Inbox />}>{share && whatWaits[share]}</HomeEmpty>}
      <ul className="divide-y divide-line">
        {drafts.slice(0, mostShown).map((draft) => (
          <Row key={draft.draft_id} draft={draft} />
        ))}
      </ul>
    </HomeCard>
  );
}

function Row({ draft }: { draft: Draft }) {
  const { label, tone } = describeDraftStatus(draft);
  return (
    <li>
      <Link
        to="/inbox/$draftId"
        params={{ draftId: draft.draft_id }}
        className="flex items-start gap-3 px-5 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <SourceIcon name={draft.source} className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{getDraftHeadline(draft)}</span>
          <span className="block truncate text-[13px] text-faint">
            {draft.drafted_by} → {formatTarget(draft)}
            {draft.delegated_by && ` · for ${draft.delegated_by}`}
          </span>
        </span>
        <span className="text-xs">
          {draft.status === 'pending' ? <Countdown until={draft.expires_at} /> : <Tag tone={tone}>{label}</Tag>}
        </span>
      </Link>
    </li>
  );
}
