import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { BackLink } from '../../design/back-link.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { EntryPage } from './entry-page.tsx';
import { EventPage } from './event-page.tsx';
import { FilePage } from './file-page.tsx';
import { MailPage } from './mail-page.tsx';
import type { PagesAddress } from './pages-address.ts';
import { buildPageQuery, type PageDocument } from './requests.ts';
import { WhereFrom } from './page-origin.tsx';

/** What every kind of page is shown with. `file` is the attachment that is open. */
export type ReadingProps = { page: PageDocument; terms: readonly string[]; file: string | undefined };

const kinds: Record<string, (props: ReadingProps) => ReactNode> = {
  email: MailPage,
  calendar_event: EventPage,
  file: FilePage,
};

type Props = { id: string; address: PagesAddress; terms: readonly string[] };

/** One page, in the view for its kind. Its text is untrusted and shown as plain text. */
export function PageView({ id, address, terms }: Props) {
  const { data: page, error, isPending, refetch } = useQuery(buildPageQuery(id));
  const Kind = (page && kinds[page.type]) ?? EntryPage;
  return (
    <div className="mx-auto max-w-3xl px-4 pt-5 pb-16 sm:px-8 md:pt-7">
      <h1 className="sr-only lg:hidden">Pages</h1>
      <BackLink to="/library" search={{ ...address, file: undefined }} className="lg:hidden">
        All pages
      </BackLink>
      {isPending && <Skeleton rows={6} label="Loading the page" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {page && (
        <article>
          <WhereFrom page={page} />
          <Kind page={page} terms={terms} file={address.file} />
        </article>
      )}
    </div>
  );
}
