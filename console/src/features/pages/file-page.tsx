import { formatExactMoment } from '../../design/time.tsx';
import { formatByteCount } from '../../design/size.ts';
import { AttachmentList } from './attachment-list.tsx';
import { BodyText } from './body-text.tsx';
import { describeMimeType } from './kind-text.ts';
import type { ReadingProps } from './page-view.tsx';
import { PageTitle } from './page-title.tsx';
import { splitHeadLines } from './text-parts.ts';

const headNames = ['File', 'Kind', 'Owner', 'Modified', 'Link', 'Description'];

/** A file as a document: what it is, whose, and its words. */
export function FilePage({ page, terms, file }: ReadingProps) {
  const { frontmatter } = page;
  const { head, rest } = splitHeadLines(page.body, headNames);
  const facts = [
    ['Kind', describeMimeType(String(frontmatter['mime_type'] ?? head.get('Kind') ?? ''))],
    ['Path', toText(frontmatter['path'])],
    ['Owner', head.get('Owner') ?? page.author ?? ''],
    ['Size', typeof frontmatter['size'] === 'number' ? formatByteCount(frontmatter['size']) : ''],
    ['Changed', formatExactMoment(page.occurred_at)],
    ['About', head.get('Description') ?? ''],
  ].filter(([, text]) => text);
  return (
    <>
      <PageTitle page={page} terms={terms} />
      <dl className="mb-5 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
        {facts.map(([name, text]) => (
          <div key={name} className="grid grid-cols-[4.5rem_1fr] gap-2">
            <dt className="text-faint">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="rounded-2xl border border-line bg-surface px-5 py-6 shadow-card sm:px-8">
        {rest && <BodyText text={rest} terms={terms} />}
        {!rest && !page.attachments.length && (
          <p className="py-6 text-center text-sm text-faint">
            Thalamus does not read the text of this file type. You can search its details.
          </p>
        )}
        <AttachmentList attachments={page.attachments} open={file} terms={terms} />
      </div>
    </>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
