import { SearchX } from 'lucide-react';
import { Fragment, useState, type ComponentProps, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { joinClassNames } from './class-names.ts';
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
  /** What is shown is that of the former search. */
  isPlaceholderData?: boolean;
};

type Props<Item> = Heading & {
  /** The items of the list, in plural and lower case: “boards”. */
  noun: string;
  query: ListQuery<Item>;
  getKey: (item: Item) => string;
  /** One item as an `<li>`: a `ListRow`, or a component of the feature. */
  renderRow: (item: Item) => ReactNode;
  /** What will be here and how to get it, with an example and, where there is one, a link to the guide. */
  empty: ComponentProps<typeof EmptyState>;
  /** The search of a list that the server searches. */
  search?: ComponentProps<typeof SearchField>;
  /** The texts of an item that a search looks in, for a list that is loaded whole. It gets a search field once it is long. */
  getSearchText?: (item: Item) => string;
  /** Chips or selects that filter or sort the list. */
  filters?: ReactNode;
  /** Whether a search or filter is active: an empty list then says so. */
  isNarrowed?: boolean;
  /** A count of the list, or why it is incomplete. */
  status?: ReactNode;
  /** Actions for the selected rows, while there are any. */
  bulk?: ReactNode;
  /** Between heading and list: a notice, or an area to drop files. */
  above?: ReactNode;
  /** Replaces the list: the hits of a search, which have their own parts. */
  instead?: ReactNode;
  /** Cards side by side instead of rows; `renderRow` makes a card as an `<li>`. */
  isGallery?: boolean;
  /** After the list: dialogs, a drawer, a second section. */
  children?: ReactNode;
};

/**
 * A page that is a list: heading with the main action, tabs, search and filters, rows, and the states while loading,
 * after an error, and when empty.
 */
export function ListPage<Item>(given: Props<Item>) {
  const props = useListSearch(given);
  const { title, lead, action, above, children, instead, bulk } = props;
  return (
    <PageFrame title={title} lead={lead} action={action}>
      <PlaceTabs isBelowToo className="-mt-2 mb-5 -ml-3" />
      {above}
      <Toolbar {...props} />
      {instead || <List {...props} />}
      {bulk && (
        <div className="sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-3 rounded-2xl border border-line bg-raised px-5 py-3 shadow-lift max-md:bottom-20">
          {bulk}
        </div>
      )}
      {children}
    </PageFrame>
  );
}

/** The number of items from which a list is long. */
const searchableFrom = 8;

/** Searches a list that is loaded whole: every word has to occur in an item. */
function useListSearch<Item>(props: Props<Item>): Props<Item> {
  const { query, noun, getSearchText, isNarrowed } = props;
  const [text, setText] = useState('');
  const items = query.data ?? [];
  if (!getSearchText || (items.length < searchableFrom && !text)) return props;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = items.filter((item) => {
    const searched = getSearchText(item).toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return {
    ...props,
    query: { ...query, data: query.data && hits },
    search: { label: `Search ${noun}`, value: text, onChange: setText },
    isNarrowed: words.length > 0 || Boolean(isNarrowed),
    status: words.length > 0 ? `${hits.length} of ${items.length}` : props.status,
  };
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

function List<Item>(props: Props<Item>) {
  const { query, status, isGallery = false } = props;
  const isBare = isGallery && Boolean(query.data?.length);
  return (
    <>
      {status && (
        <p role="status" className="mb-2 px-1 text-[13px] text-faint">
          {status}
        </p>
      )}
      <div className={joinClassNames(query.isPlaceholderData && 'opacity-60 transition-opacity delay-150')}>
        {isBare ? (
          <Items {...props} />
        ) : (
          <Card className="overflow-hidden">
            <Items {...props} />
          </Card>
        )}
      </div>
      <ShowMore query={query} />
    </>
  );
}

function Items<Item>(props: Props<Item>) {
  const { query, noun, title, getKey, renderRow, empty, isNarrowed = false, isGallery = false } = props;
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
        <ul
          aria-label={title}
          className={isGallery ? 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3' : 'divide-y divide-line'}
        >
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
