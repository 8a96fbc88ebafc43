import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** A page as lists and searches show it. */
export type PageSummary = {
  id: string;
  slug: string;
  type: string;
  title: string;
  excerpt: string;
  origin: 'outside' | 'here';
  brain_name: string;
  source: string | null;
  occurred_at: string;
  updated_at: string;
};

export type PageDocument = {
  id: string;
  slug: string;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, unknown>;
  attachments: { filename: string; size: number; attachment_id: string }[];
  origin: 'outside' | 'here';
  author: string | null;
  source: string | null;
  brain_name: string;
  occurred_at: string;
  updated_at: string;
};

type Filter = { source?: string | undefined };

/** Finds pages by what they say. */
export function pageSearchQuery(q: string, { source }: Filter) {
  const input = { q, limit: 20, ...(source && { source }) };
  return queryOptions({
    queryKey: ['pages', 'search', input],
    queryFn: ({ signal }) => call<{ pages: PageSummary[] }>('search', input, { signal }),
    placeholderData: keepPreviousData,
  });
}

const pageSize = 40;

/** All pages, the newest first. */
export function pageListQuery({ source }: Filter) {
  return infiniteQueryOptions({
    queryKey: ['pages', 'list', { source }],
    queryFn: ({ pageParam, signal }) =>
      call<{ pages: PageSummary[]; total: number }>(
        'list_pages',
        { ...(source && { source }), limit: pageSize, offset: pageParam },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (all.length * pageSize < last.total ? all.length * pageSize : undefined),
    placeholderData: keepPreviousData,
  });
}

export function pageQuery(id: string) {
  return queryOptions({
    queryKey: ['pages', 'one', id],
    queryFn: ({ signal }) => call<PageDocument>('get_page', { id }, { signal }),
  });
}
