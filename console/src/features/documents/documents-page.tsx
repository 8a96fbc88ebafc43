import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { formatByteCount } from '../../design/size.ts';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { meQuery } from '../../entities/me.ts';
import { brainsQuery } from '../../entities/brains.ts';
import { documentsQuery, type Document } from './requests.ts';
import { UploadArea } from './upload-area.tsx';

/** The documents that the person may read, and where more are uploaded. */
export function DocumentsPage() {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(documentsQuery);
  const { data: me } = useQuery(meQuery);
  const documents = data?.pages.flatMap((page) => page.documents) ?? [];
  return (
    <Page title="Documents" lead="Upload files. Agents search their text and read it line by line.">
      {me?.scopes.includes('memory:write') && <UploadArea homeBrainId={me.home_brain_id} />}
      <Card>
        {isPending && <Skeleton label="Loading documents" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && !documents.length && (
          <EmptyState icon={<FileText />} title="No documents yet">
            Drop a file above, or have a connected agent upload one.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {documents.map((each) => (
            <Row key={each.id} of={each} />
          ))}
        </ul>
      </Card>
      {hasNextPage && (
        <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  );
}

function Row({ of: { id, title, format, size, pages, brain_id, reference_count, created_at } }: { of: Document }) {
  const { data: brains } = useQuery(brainsQuery);
  const brain = brains?.find((each) => each.id === brain_id);
  const facts = [
    format.toUpperCase(),
    pages !== null && (pages === 1 ? '1 page' : `${pages.toLocaleString()} pages`),
    formatByteCount(size),
    brain?.name,
    reference_count > 0 && (reference_count === 1 ? 'Learned from once' : `Learned from ${reference_count} times`),
  ];
  return (
    <li>
      <Link
        to="/library/documents/$documentId"
        params={{ documentId: id }}
        search={{ line: undefined }}
        className="flex flex-wrap items-center gap-x-4 px-5 py-4 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-sm text-soft">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        <span className="text-sm text-soft">
          <Ago at={created_at} />
        </span>
      </Link>
    </li>
  );
}
