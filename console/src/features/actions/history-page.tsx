import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { ListPage } from '../../design/list-page.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { SourceIcon } from '../../design/source-sign.tsx';
import { formatTarget, getDraftHeadline, describeDraftStatus } from './draft-words.ts';
import { historyQuery, type Draft } from './requests.ts';

/** Decided drafts, with who decided and the outcome. */
export function HistoryPage() {
  return (
    <ListPage
      title="Activity"
      lead="The outcome of every draft, and who decided it."
      noun="drafts"
      query={useInfiniteQuery(historyQuery)}
      getKey={({ draft_id }) => draft_id}
      renderRow={(action) => <Row action={action} />}
      empty={{
        icon: <History />,
        title: 'No history yet',
        children: 'Approved, declined and expired drafts appear here.',
      }}
    />
  );
}

function Row({ action }: { action: Draft }) {
  const { label, tone } = describeDraftStatus(action);
  return (
    <li>
      <Link
        to="/inbox/$draftId"
        params={{ draftId: action.draft_id }}
        className="flex items-start gap-3 px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <SourceIcon name={action.source} className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{getDraftHeadline(action)}</span>
          <span className="mt-0.5 block truncate text-[13px] text-faint">
            {action.drafted_by} → {formatTarget(action)}
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
