import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';
import { computePeriodBounds, type PagesAddress } from './pages-address.ts';

/** A page as lists and searches show it. */
export type PageSummary = Output<'list_pages'>['pages'][number] & Pick<Output<'search'>['pages'][number], 'found_in'>;

/** A file that came with a page. */
export type Attachment = PageDocument['attachments'][number];

export type PageDocument = Output<'get_page'>;

/** Finds pages by what they and their files say. */
export function buildPageSearchQuery(q: string, address: PagesAddress) {
  const input = { q, limit: 50, ...buildPageFilter(address) };
  return queryOptions({
    queryKey: ['pages', 'search', input],
    queryFn: ({ signal }) => call('search', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

const pageSize = 50;

/** All pages, newest first. Future events are sorted by the next date. */
export function buildPageListQuery(address: PagesAddress) {
  const input = {
    ...buildPageFilter(address),
    sort: address.when === 'upcoming' ? ('soonest' as const) : ('latest' as const),
    limit: pageSize,
  };
  return infiniteQueryOptions({
    queryKey: ['pages', 'list', input],
    queryFn: ({ pageParam, signal }) => call('list_pages', { ...input, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (all.length * pageSize < last.total ? all.length * pageSize : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Only events can be in the future. A mail of today is in the past. */
function buildPageFilter({ source, type: chosen, when }: PagesAddress) {
  const type = chosen ?? (when === 'upcoming' ? 'calendar_event' : undefined);
  return { ...(source && { source }), ...(type && { type }), ...computePeriodBounds(when, new Date()) };
}

export function buildPageQuery(id: string) {
  return queryOptions({
    queryKey: ['pages', 'one', id],
    queryFn: ({ signal }) => call('get_page', { id }, { signal }),
  });
}

/** The words of a file, part by part. */
export function buildAttachmentTextQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['pages', 'attachment', id],
    queryFn: ({ pageParam, signal }) =>
      call('get_attachment', { attachment_id: id, offset: pageParam, max_tokens: 5_000 }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset }) => next_offset ?? undefined,
  });
}
