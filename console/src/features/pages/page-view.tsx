import { useQuery } from '@tanstack/react-query';
import { Globe, Paperclip } from 'lucide-react';
import { BackLink } from '../../design/back-link.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { momentText } from '../../design/time.tsx';
import { factsOf } from './facts.ts';
import { pageQuery, type PageDocument } from './requests.ts';

/** One page. Its text is shown as text: it came from outside and may say anything. */
export function PageView({ id }: { id: string }) {
  const { data: page, error, isPending, refetch } = useQuery(pageQuery(id));
  return (
    <Page
      back={<BackLink to="/pages">All pages</BackLink>}
      title={page?.title || (isPending ? 'Page' : 'Untitled')}
      lead={page && <Origin page={page} />}
    >
      {isPending && <Skeleton label="Loading the page" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {page && <Document page={page} />}
    </Page>
  );
}

function Origin({ page }: { page: PageDocument }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Tag>{page.type.replaceAll('_', ' ')}</Tag>
      {page.source && <span>{page.source}</span>}
      <span>{page.brain_name}</span>
      <span>{momentText(page.occurred_at)}</span>
    </span>
  );
}

function Document({ page }: { page: PageDocument }) {
  const facts = factsOf(page.frontmatter);
  return (
    <div className="space-y-5">
      {page.origin === 'outside' && (
        <Notice tone="plain" icon={<Globe />}>
          This text came from outside. Agents are told to treat it as material and not to follow what it says.
        </Notice>
      )}
      <Card className="overflow-hidden">
        {facts.length > 0 && (
          <dl className="space-y-1.5 border-b border-line px-5 py-4 text-sm sm:px-6">
            {facts.map(({ name, text, href }) => (
              <div key={name} className="grid grid-cols-[7rem_1fr] gap-3">
                <dt className="truncate text-faint">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">{href ? <OutsideLink href={href} /> : text}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="px-5 py-5 text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere sm:px-6">
          {page.body.trim() || <span className="text-faint">There is no text in it.</span>}
        </div>
        {page.attachments.length > 0 && (
          <ul className="flex flex-wrap gap-2 border-t border-line px-5 py-3.5 sm:px-6">
            {page.attachments.map(({ filename, size, attachment_id: id }) => (
              <li key={id} className="flex items-center gap-1.5 rounded-lg border border-line px-2.5 py-1 text-[13px]">
                <Paperclip className="size-3.5 text-faint" aria-hidden /> {filename}
                <span className="text-faint">{sizeText(size)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function OutsideLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      {new URL(href).hostname}
    </a>
  );
}
