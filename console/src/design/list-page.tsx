import { SearchX } from 'lucide-react';
import { Fragment, type ComponentProps, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Card } from './page.tsx';
import { PageFrame, type Heading } from './page-frame.tsx';
import { PlaceTabs } from './place-tabs.tsx';
import { QueryResult, type QueryState } from './query-state.tsx';
import { SearchField } from './search-field.tsx';
import { EmptyState } from './states.tsx';

/** The query of a list: an answer of `useQuery`, or of `useInfiniteQuery` whose pages `select` joins. */
export type ListQuery<Item> = QueryState & {
  data: readonly Item[] | undefined;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
};

type Props<Item> = Heading & {
  /** What the list is of, in plural and small letters: “boards”. */
  noun: string;
  query: ListQuery<Item>;
  getKey: (item: Item) => string;
  /** One item as an `<li>`: a `ListRow`, or a component of the feature. */
  renderRow: (item: Item) => ReactNode;
  /** What will be here and how to get it, with an example and, where there is one, a link to the guide. */
  empty: ComponentProps<typeof EmptyState>;
  search?: ComponentProps<typeof SearchField>;
  /** Chips or selects that narrow the list, and its order. */
  filters?: ReactNode;
  /** Whether a search or a filter is set: an empty list then says so. */
  isNarrowed?: boolean;
  /** A count of the list, or why it is short. */
  status?: ReactNode;
  /** Actions for the chosen rows, while some are. */
  bulk?: ReactNode;
  /** Between heading and list: a notice, or a place to drop files. */
  above?: ReactNode;
  /** Behind the list: dialogs, a drawer, a second section. */
  children?: ReactNode;
};

/**
 * A page that is a list: heading with the main action, the tabs of its place, search and filters, rows, and the states while it
 * loads, after an error, and when it is empty.
 */
export function ListPage<Item>(props: Props<Item>) {
  const { title, lead, action, above, children, status, bulk } = props;
  return (
    <PageFrame title={title} lead={lead} action={action}>
      <PlaceTabs className="-mt-2 mb-5 -ml-3" />
      {above}
      <Toolbar {...props} />
      {status && (
        <p role="status" className="mb-2 px-1 text-[13px] text-faint">
          {status}
        </p>
      )}
      <Card className="overflow-hidden">
        <Rows {...props} />
      </Card>
      <ShowMore query={props.query} />
      {bulk && (
        <div className="sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-3 rounded-2xl border border-line bg-raised px-5 py-3 shadow-lift max-md:bottom-20">
          {bulk}
        </div>
      )}
      {children}
    </PageFrame>
  );
}

function Toolbar<Item>({ search, filters }: Props<Item>) {
  if (!search && !filters) return null;
  return (
    <search className="mb-4 flex flex-col gap-2 sm:flex-row sm:flex-wrap sm:items-center">
      {search && <SearchField {...search} />}
      {filters}
    </search>
  );
}

function Rows<Item>({ query, noun, title, getKey, renderRow, empty, isNarrowed = false }: Props<Item>) {
  const items = query.data ?? [];
  return (
    <QueryResult query={query} noun={noun}>
      {query.data && !items.length && isNarrowed && (
        <EmptyState icon={<SearchX />} title={`No matching ${noun}`}>
          Clear the search or a filter to see more.
        </EmptyState>
      )}
      {query.data && !items.length && !isNarrowed && <EmptyState {...empty} />}
      {items.length > 0 && (
        <ul aria-label={title} className="divide-y divide-line">
          {items.map((item) => (
            <Fragment key={getKey(item)}>{renderRow(item)}</Fragment>
          ))}
        </ul>
      )}
    </QueryResult>
  );
}

function ShowMore<Item>({ query }: { query: ListQuery<Item> }) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button isBusy={query.isFetchingNextPage ?? false} onClick={() => void query.fetchNextPage?.()}>
        Show more
      </Button>
    </div>
  );
}
