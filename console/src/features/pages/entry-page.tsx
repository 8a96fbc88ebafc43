import { Fragment } from 'react';
import { Tag } from '../../design/page.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { BodyText, OutsideLink } from './body-text.tsx';
import { listFacts } from './facts.ts';
import { findPageDate } from './happened-at.ts';
import { PageTitle } from './page-title.tsx';
import type { ReadingProps } from './page-view.tsx';

/** Fields that are shown elsewhere, or are not useful to people. */
const notShown = new Set(['link', 'html_link', 'url', 'account', 'state', 'channel_id', 'ts', 'has_attachments']);
const between = '\n\n---\n\n';

/** An issue, message, note or other page: author, date, facts, text and replies. */
export function EntryPage({ page, terms, file }: ReadingProps) {
  const state = page.frontmatter['state'];
  const happened = findPageDate(page);
  const facts = listFacts(page.frontmatter).filter(({ key }) => !notShown.has(key));
  return (
    <>
      <PageTitle page={page} terms={terms}>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[13px] text-faint">
          <Tag>{page.type.replaceAll('_', ' ')}</Tag>
          {typeof state === 'string' && state && <Tag tone={getStateTone(state)}>{state}</Tag>}
          {page.author && <span className="text-soft">{page.author}</span>}
          {happened && <time dateTime={happened}>{formatExactMoment(happened)}</time>}
        </p>
      </PageTitle>
      {facts.length > 0 && (
        <dl className="mb-5 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
          {facts.map(({ key, name, text, href }) => (
            <div key={key} className="grid grid-cols-[6rem_1fr] gap-2">
              <dt className="truncate text-faint">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">{href ? <OutsideLink href={href} /> : text}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="rounded-2xl border border-line bg-surface px-5 py-5 shadow-card sm:px-6">
        {page.body.split(between).map((part, at) => (
          <Fragment key={at}>
            {at > 0 && <hr className="my-4 border-line" />}
            <BodyText text={part} terms={terms} />
          </Fragment>
        ))}
        <AttachmentList attachments={page.attachments} open={file} terms={terms} />
      </div>
    </>
  );
}

function getStateTone(state: string): 'go' | 'wait' | 'plain' {
  if (/^(open|todo|backlog|triage)/i.test(state)) return 'wait';
  return /^(done|closed|completed|merged)/i.test(state) ? 'go' : 'plain';
}
