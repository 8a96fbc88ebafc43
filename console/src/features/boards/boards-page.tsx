import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Table2 } from 'lucide-react';
import { Card, Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { PlaceTabs } from '../../design/place-tabs.tsx';
import { boardsQuery } from './requests.ts';

/** All boards that the person may read. */
export function BoardsPage() {
  const { data, error, isPending, refetch } = useQuery(boardsQuery);
  return (
    <Page title="Boards" lead="Tables that agents and automations fill.">
      <PlaceTabs className="-mt-2 mb-6 -ml-3" />
      <Card>
        {isPending && <Skeleton label="Loading boards" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !data.length && (
          <EmptyState icon={<Table2 />} title="No boards yet">
            Ask a connected agent to create one. Its rows will appear here.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {data?.map(({ board_id: boardId, name, description, rows, updated_at }) => (
            <li key={boardId}>
              <Link
                to="/boards/$boardId"
                params={{ boardId }}
                className="flex flex-wrap items-center gap-x-4 px-5 py-4 hover:bg-hover"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name}</span>
                  {description && <span className="block truncate text-sm text-soft">{description}</span>}
                </span>
                <span className="text-sm text-soft">{rows === 1 ? '1 row' : `${rows.toLocaleString()} rows`}</span>
                <span className="text-sm text-soft">
                  <Ago at={updated_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
