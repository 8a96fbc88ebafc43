import { Link } from '@tanstack/react-router';
import { Paperclip } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { joinClassNames } from '../../design/class-names.ts';
import { formatUtcDay, formatExactMoment, ShortTime } from '../../design/time.tsx';
import { Highlight } from '../../design/highlight.tsx';
import { SourceIcon } from '../../design/source-sign.tsx';
import { getShortName } from './addresses.ts';
import { findPageDate } from './happened-at.ts';
import { PageSign } from './page-sign.tsx';
import type { PagesAddress } from './pages-address.ts';
import type { PageSummary } from './requests.ts';

type Props = {
  page: PageSummary;
  address: PagesAddress;
  terms: readonly string[];
  isChosen: boolean;
  onOpen: () => void;
};

/** One page of the list: author, title, date, and the matching words. */
export function PageRow({ page, address, terms, isChosen, onOpen }: Props) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const [file] = page.found_in ?? [];
  const [who, excerpt] = [getRowByline(page), getExcerpt(page)];
  return (
    <li>
      <Link
        ref={row}
        to="/library/$pageId"
        params={{ pageId: page.id }}
        search={{ ...address, file: file?.attachment_id }}
        replace={isChosen}
        resetScroll={false}
        onClick={onOpen}
        data-page={page.id}
        aria-current={isChosen ? 'true' : undefined}
        className={joinClassNames(
          'relative flex gap-3 px-4 py-3 transition-colors focus-visible:-outline-offset-2',
          isChosen
            ? 'bg-hover before:absolute before:inset-y-2 before:left-0 before:w-[3px] before:rounded-r before:bg-go'
            : 'hover:bg-hover',
        )}
      >
        <PageSign type={page.type} className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate text-sm font-medium">
              <Highlight text={page.title || 'Untitled'} terms={terms} />
            </span>
            <span className="text-xs text-faint">
              <ShortTime at={findPageDate(page) ?? page.updated_at} isWholeDay={page.all_day} />
            </span>
          </span>
          {who && <span className="mt-0.5 block truncate text-[13px] text-soft">{who}</span>}
          {excerpt && (
            <span className="mt-0.5 line-clamp-2 text-[13px] text-faint wrap-anywhere">
              <Highlight text={excerpt} terms={terms} />
            </span>
          )}
          {file && (
            <span className="mt-1 line-clamp-2 rounded-md bg-sunken px-2 py-1 text-[13px] text-soft wrap-anywhere">
              <Paperclip className="mr-1 inline size-3 text-faint" aria-hidden />
              <span className="font-medium">In {file.filename}:</span> <Highlight text={file.excerpt} terms={terms} />
            </span>
          )}
          <Origin page={page} />
        </span>
      </Link>
    </li>
  );
}

/** Which account it came from, and how many files it has. */
function Origin({ page }: { page: PageSummary }) {
  const source = page.source?.split(':')[0] ?? '';
  return (
    <span className="mt-1 flex items-center gap-2 text-xs text-faint">
      {source && <SourceIcon name={source} className="size-3 shrink-0" />}
      <span className="min-w-0 truncate">{page.source?.slice(source.length + 1) || page.brain_name}</span>
      {page.attachment_count > 0 && (
        <span className="flex shrink-0 items-center gap-0.5">
          <Paperclip className="size-3" aria-hidden />
          {page.attachment_count}
          <span className="sr-only"> {page.attachment_count === 1 ? 'file' : 'files'}</span>
        </span>
      )}
    </span>
  );
}

/** Texts of events and files begin with lines for programs, which are left out. */
function getExcerpt({ excerpt }: PageSummary): string {
  return /^(?:When|File): /.test(excerpt) ? '' : excerpt;
}

/** The author, or the date of an event. */
function getRowByline({ type, author, occurred_at, all_day }: PageSummary): string {
  if (type !== 'calendar_event') return getShortName(author ?? '');
  return all_day ? `${formatUtcDay(occurred_at)}, all day` : formatExactMoment(occurred_at);
}
