import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Card, Tag, useTitle } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { SourceIcon } from '../../design/source-sign.tsx';
import { targetText, headlineOf, statusOf } from './draft-words.ts';
import { InboxTabs } from './inbox-tabs.tsx';
import { historyQuery, type Draft } from './requests.ts';
import { useWaitingCount } from './use-waiting-count.ts';

/** Decided drafts, with who decided and the outcome. */
export function HistoryPage() {
  useTitle('Inbox history');
  const waiting = useWaitingCount();
  const history = useInfiniteQuery(historyQuery);
  const { data: actions, error, isPending, refetch } = history;
  return (
    <div>
      <InboxTabs waiting={waiting} isHistory />
      <div className="mx-auto max-w-4xl px-4 py-6 sm:px-8">
        <Card>
          {isPending && <Skeleton label="Loading the history" />}
          {error && <ErrorState error={error} onRetry={() => void refetch()} />}
          {actions?.length === 0 && (
            <EmptyState icon={<History />} title="No history yet">
              Approved, declined and expired drafts appear here.
            </EmptyState>
          )}
          <ul className="divide-y divide-line overflow-hidden rounded-2xl">
            {actions?.map((action) => (
              <Row key={action.draft_id} action={action} />
            ))}
          </ul>
          {history.hasNextPage && (
            <div className="border-t border-line py-4 text-center">
              <Button size="small" isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </Card>
      </div>
    </div>
  );
}

function Row({ action }: { action: Draft }) {
  const { label, tone } = statusOf(action);
  return (
    <li>
      <Link
        to="/inbox/$draftId"
        params={{ draftId: action.draft_id }}
        className="flex items-start gap-3 px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <SourceIcon name={action.source} className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{headlineOf(action)}</span>
          <span className="mt-0.5 block truncate text-[13px] text-faint">
            {action.drafted_by} → {targetText(action)}
            {action.delegated_by && ` · for ${action.delegated_by}`}
          </span>
          {action.error && <span className="mt-0.5 line-clamp-2 text-[13px] text-soft">{action.error}</span>}
        </span>
        <span className="flex flex-col items-end gap-1 text-[13px] text-faint">
          <Tag tone={tone}>{label}</Tag>
          <Ago at={action.ended_at ?? action.created_at} />
        </span>
      </Link>
    </li>
  );
}
