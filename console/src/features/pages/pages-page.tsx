import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, SearchX } from 'lucide-react';
import { Button, buttonClass } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, Page } from '../../design/page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { integrationsQuery } from '../integrations/requests.ts';
import { PageSign } from './page-sign.tsx';
import { pageListQuery, pageSearchQuery, type PageSummary } from './requests.ts';

/** What stands in the address of the list of pages. */
export type PagesAddress = { q?: string | undefined; source?: string | undefined };

type Props = { address: PagesAddress; onChange: (address: PagesAddress) => void };

/** Mails, events and files that were pulled from linked accounts. */
export function PagesPage({ address, onChange }: Props) {
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const { q, source } = address;
  return (
    <Page title="Pages" lead="Mails, events and files from your linked accounts, for you and your agents to find.">
      <search className="mb-5 flex flex-col gap-2 sm:flex-row">
        <SearchField
          label="Search pages"
          value={q ?? ''}
          onChange={(text) => onChange({ ...address, q: text || undefined })}
        />
        <SelectField
          label="Source"
          isLabelHidden
          className="sm:w-44"
          value={source ?? ''}
          onChange={(event) => onChange({ ...address, source: event.target.value || undefined })}
        >
          <option value="">Every source</option>
          {integrations.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
      </search>
      {q ? <Found q={q} source={source} /> : <Browse source={source} />}
    </Page>
  );
}

function Found({ q, source }: { q: string; source: string | undefined }) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(pageSearchQuery(q, { source }));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton label="Searching" />;
  return (
    <Card className={isPlaceholderData ? 'opacity-60' : ''}>
      <p role="status" className="sr-only">
        {data.pages.length} found
      </p>
      {data.pages.length ? (
        <List pages={data.pages} />
      ) : (
        <EmptyState icon={<SearchX />} title="No page says that">
          Try other words, or pull what you look for on its integration’s page.
        </EmptyState>
      )}
    </Card>
  );
}

function Browse({ source }: { source: string | undefined }) {
  const list = useInfiniteQuery(pageListQuery({ source }));
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <Skeleton rows={6} label="Loading pages" />;
  const pages = list.data.pages.flatMap((each) => each.pages);
  if (!pages.length) return <NothingPulled />;
  return (
    <>
      <Card>
        <List pages={pages} />
      </Card>
      {list.hasNextPage && (
        <div className="mt-4 text-center">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}

function NothingPulled() {
  return (
    <Card>
      <EmptyState
        icon={<FileText />}
        title="Nothing was pulled yet"
        action={
          <Link to="/integrations" search={{}} className={buttonClass('primary')}>
            Link an account
          </Link>
        }
      >
        Link Gmail, Calendar or Drive. What is pulled from there becomes pages that you and your agents can search.
      </EmptyState>
    </Card>
  );
}

function List({ pages }: { pages: readonly PageSummary[] }) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-2xl">
      {pages.map((page) => (
        <li key={page.id}>
          <Link
            to="/pages/$pageId"
            params={{ pageId: page.id }}
            className="flex gap-3.5 px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
          >
            <PageSign type={page.type} className="mt-1 size-4 shrink-0 text-faint" />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-[15px] font-medium">{page.title || 'Untitled'}</span>
              {page.excerpt && (
                <span className="mt-0.5 line-clamp-2 text-sm text-soft wrap-anywhere">{page.excerpt}</span>
              )}
              <span className="mt-1 block text-[13px] text-faint">
                {page.type.replaceAll('_', ' ')} · {page.brain_name} · <Ago at={page.occurred_at} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
