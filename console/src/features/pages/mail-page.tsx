import { Fragment } from 'react';
import { formatExactMoment, ShortTime } from '../../design/time.tsx';
import { parseAddressParts } from './addresses.ts';
import { AttachmentList } from './attachment-list.tsx';
import { BodyText } from './body-text.tsx';
import { parseMailMessages, type MailMessage } from './mail-messages.ts';
import type { ReadingProps } from './page-view.tsx';
import { PageTitle } from './page-title.tsx';
import type { Attachment } from './requests.ts';

/** In a longer thread only the last messages are open, and those that have what was searched for. */
const mostOpen = 3;

/** A mail, or a thread of them: each message apart, with its files. */
export function MailPage({ page, terms, file }: ReadingProps) {
  const messages = parseMailMessages(page);
  const { frontmatter } = page;
  return (
    <>
      <PageTitle page={page} terms={terms}>
        {messages.length > 1 && <p className="mt-1 text-[13px] text-faint">{messages.length} messages</p>}
      </PageTitle>
      <dl className="mb-5 space-y-1.5 text-sm">
        <Addresses label="To" value={frontmatter['to']} />
        <Addresses label="Cc" value={frontmatter['cc']} />
        <Labels value={frontmatter['labels']} />
      </dl>
      <ol className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
        {messages.map((message, at) => (
          <li key={message.id ?? at}>
            <Message
              message={message}
              files={listMessageFiles(page.attachments, message, messages.length)}
              terms={terms}
              file={file}
              isLast={at === messages.length - 1}
              isOpen={messages.length - at <= mostOpen || hasAny(message.text, terms)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

type MessageProps = {
  message: MailMessage;
  files: readonly Attachment[];
  terms: readonly string[];
  file: string | undefined;
  isOpen: boolean;
  isLast: boolean;
};

function Message({ message, files, terms, file, isOpen, isLast }: MessageProps) {
  const { name, address } = parseAddressParts(message.from);
  const hasFile = files.some(({ attachment_id }) => attachment_id === file);
  return (
    <details open={isOpen || isLast || hasFile} className="group">
      <summary className="flex items-center gap-3 px-5 py-3.5 hover:bg-hover focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <Initials of={name || address} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="truncate text-sm font-semibold">{name || address || 'Somebody'}</span>
            {name && address && <span className="truncate text-[13px] text-faint">{address}</span>}
          </span>
          <span className="block truncate text-[13px] text-faint group-open:hidden">{message.text}</span>
        </span>
        {message.date && (
          <span className="shrink-0 self-start pt-0.5 text-[13px] text-faint">
            <time dateTime={message.date} className="max-sm:hidden">
              {formatExactMoment(message.date)}
            </time>
            <span className="sm:hidden">
              <ShortTime at={message.date} />
            </span>
          </span>
        )}
      </summary>
      <div className="px-5 pt-1 pb-5">
        <BodyText text={message.text} terms={terms} hasQuotes />
        <AttachmentList attachments={files} open={file} terms={terms} />
      </div>
    </details>
  );
}

function Initials({ of }: { of: string }) {
  const letters = of
    .split(/[\s._@-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '');
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-soft"
    >
      {letters.join('') || '?'}
    </span>
  );
}

const mostAddresses = 12;

function Addresses({ label, value }: { label: string; value: unknown }) {
  const all = Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : [];
  if (!all.length) return null;
  return (
    <Line label={label}>
      {all.slice(0, mostAddresses).map((text, at) => {
        const { name, address } = parseAddressParts(text);
        return (
          <Fragment key={text}>
            {at > 0 && ', '}
            <span title={address}>{name || address}</span>
            {name && address && <span className="text-faint"> {address}</span>}
          </Fragment>
        );
      })}
      {all.length > mostAddresses && <span className="text-faint"> and {all.length - mostAddresses} more</span>}
    </Line>
  );
}

/** Names that Gmail gives for itself. */
const ownLabels = /^(?:UNREAD|INBOX|SENT|IMPORTANT|STARRED|CATEGORY_\w+|\[.*)$/;

function Labels({ value }: { value: unknown }) {
  const labels = Array.isArray(value) ? value.map(String).filter((label) => !ownLabels.test(label)) : [];
  return labels.length ? <Line label="Labels">{labels.join(', ')}</Line> : null;
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[3.5rem_1fr] gap-2">
      <dt className="text-faint">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The files of a message, or all files if the messages cannot be separated. */
function listMessageFiles(
  attachments: readonly Attachment[],
  { id }: MailMessage,
  count: number,
): readonly Attachment[] {
  return count === 1 || id === null ? attachments : attachments.filter(({ message_id }) => message_id === id);
}

function hasAny(text: string, terms: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return terms.some((term) => lower.includes(term.toLowerCase()));
}
