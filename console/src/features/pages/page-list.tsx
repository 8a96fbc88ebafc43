import { SearchX } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { PageRow } from './page-row.tsx';
import type { PagesAddress } from './pages-address.ts';
import type { FoundPages } from './use-found-pages.ts';

type Props = { found: FoundPages; address: PagesAddress; chosen: string | undefined; onOpen: () => void };

/** The list of pages, its empty state, and the button for more. */
export function PageList({ found, address, chosen, onOpen }: Props) {
  if (found.error) return <ErrorState error={found.error} onRetry={found.retry} />;
  if (found.isPending) return <Skeleton rows={6} label={address.q ? 'Searching' : 'Loading pages'} />;
  return (
    <div className={found.isOld ? 'opacity-60 transition-opacity delay-150' : ''}>
      {found.notice && (
        <div className="p-3">
          <Notice tone="plain">{found.notice}</Notice>
        </div>
      )}
      {found.pages.length === 0 && (
        <EmptyState icon={<SearchX />} title={address.q ? 'No pages found' : 'No matching pages'}>
          {address.q
            ? 'Try fewer or other words. Use quotes for exact phrases and a minus to exclude a word.'
            : 'Clear a filter, or fetch more on the page of the integration.'}
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {found.pages.map((page) => (
          <PageRow
            key={page.id}
            page={page}
            address={address}
            terms={found.terms}
            isChosen={page.id === chosen}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {found.more && (
        <div className="border-t border-line py-4 text-center">
          <Button size="small" isBusy={found.isLoadingMore} onClick={found.more}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
