import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { periodOf, type PagesAddress } from './pages-address.ts';

/** A page as lists and searches show it. */
export type PageSummary = {
  id: string;
  slug: string;
  type: string;
  title: string;
  excerpt: string;
  author: string | null;
  origin: 'outside' | 'here';
  brain_name: string;
  source: string | null;
  occurred_at: string;
  updated_at: string;
  /** Of `occurred_at` the day alone counts, in UTC. */
  all_day: boolean;
  attachment_count: number;
  /** Files of it that have the words, where it was searched for. */
  found_in?: { attachment_id: string; filename: string; excerpt: string }[];
};

/** A file that came with a page. */
export type Attachment = {
  attachment_id: string;
  filename: string;
  mime_type: string;
  size: number;
  message_id: string;
  state: 'awaited' | 'stored' | 'too_big' | 'failed';
  reason: string | null;
  has_text: boolean;
};

export type PageDocument = {
  id: string;
  slug: string;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, unknown>;
  attachments: Attachment[];
  origin: 'outside' | 'here';
  author: string | null;
  source: string | null;
  brain_id: string;
  brain_name: string;
  occurred_at: string;
  updated_at: string;
};

type Found = { pages: PageSummary[]; pagination: { total_available: number }; notice?: string };

/** Finds pages by what they and their files say. */
export function pageSearchQuery(q: string, address: PagesAddress) {
  const input = { q, limit: 50, ...filterOf(address) };
  return queryOptions({
    queryKey: ['pages', 'search', input],
    queryFn: ({ signal }) => call<Found>('search', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

const pageSize = 50;

/** All pages, the newest first; of what is still to come, what comes next. */
export function pageListQuery(address: PagesAddress) {
  const input = { ...filterOf(address), sort: address.when === 'upcoming' ? 'soonest' : 'latest', limit: pageSize };
  return infiniteQueryOptions({
    queryKey: ['pages', 'list', input],
    queryFn: ({ pageParam, signal }) =>
      call<{ pages: PageSummary[]; total: number }>('list_pages', { ...input, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (all.length * pageSize < last.total ? all.length * pageSize : undefined),
    placeholderData: keepPreviousData,
  });
}

/** What is still to come are events: a mail of this morning is of today as well, and over. */
function filterOf({ source, type: chosen, when }: PagesAddress) {
  const type = chosen ?? (when === 'upcoming' ? 'calendar_event' : undefined);
  return { ...(source && { source }), ...(type && { type }), ...periodOf(when, new Date()) };
}

export function pageQuery(id: string) {
  return queryOptions({
    queryKey: ['pages', 'one', id],
    queryFn: ({ signal }) => call<PageDocument>('get_page', { id }, { signal }),
  });
}

type AttachmentPart = { text: string | null; total_characters: number; next_offset: number | null };

/** The words of a file, part by part. */
export function attachmentTextQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['pages', 'attachment', id],
    queryFn: ({ pageParam, signal }) =>
      call<AttachmentPart>('get_attachment', { attachment_id: id, offset: pageParam, max_tokens: 5_000 }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset }) => next_offset ?? undefined,
  });
}
