import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { PagesAddress } from './pages-address.ts';
import { buildPageListQuery, buildPageSearchQuery, type PageSummary } from './requests.ts';

/** What a list shows: the pages of a search, or all of them part by part. */
export type FoundPages = {
  pages: readonly PageSummary[];
  /** How many there are, in words. */
  said: string;
  /** Words that are marked in what is shown. */
  terms: readonly string[];
  notice: string | undefined;
  error: Error | null;
  isPending: boolean;
  /** It shows what was found before, until the answer is there. */
  isOld: boolean;
  isEmpty: boolean;
  retry: () => void;
  /** Shows more; absent at the end. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
};

export function useFoundPages(address: PagesAddress): FoundPages {
  const q = address.q ?? '';
  const search = useQuery({ ...buildPageSearchQuery(q, address), enabled: q !== '' });
  const list = useInfiniteQuery({ ...buildPageListQuery(address), enabled: q === '' });
  const shown = q === '' ? list : search;
  const pages = q === '' ? (list.data?.pages.flatMap((each) => each.pages) ?? []) : (search.data?.pages ?? []);
  const total = q === '' ? list.data?.pages[0]?.total : search.data?.pagination.total_available;
  return {
    pages,
    said: total === undefined ? '' : formatFoundCount(total, pages.length, q !== ''),
    terms: parseSearchTerms(q),
    notice: q === '' ? undefined : search.data?.notice,
    error: shown.error,
    isPending: shown.isPending,
    isOld: shown.isPlaceholderData,
    isEmpty: total === 0,
    retry: () => void shown.refetch(),
    more: q === '' && list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    isLoadingMore: list.isFetchingNextPage,
  };
}

function formatFoundCount(total: number, shown: number, isSearch: boolean): string {
  const count = `${total.toLocaleString()}${isSearch ? ' found' : total === 1 ? ' page' : ' pages'}`;
  return isSearch && shown < total ? `${count}, showing the best ${shown}` : count;
}

/** The words of a search, without those that must not occur. */
function parseSearchTerms(q: string): string[] {
  const wanted = q.replaceAll(/(?:^|\s)-\S+/g, ' ');
  return [...new Set(wanted.match(/[\p{L}\p{N}][\p{L}\p{N}._@-]*/gu) ?? [])].filter((word) => word.length > 1);
}
