import { useInfiniteQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SaveButton } from '../../design/save-button.tsx';
import { formatByteCount } from '../../design/size.ts';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Highlight } from '../../design/highlight.tsx';
import { buildAttachmentTextQuery, type Attachment } from './requests.ts';

type Props = { attachments: readonly Attachment[]; open: string | undefined; terms: readonly string[] };

/** The files that came with a mail: to save, and to read where they are text. */
export function AttachmentList({ attachments, open, terms }: Props) {
  if (!attachments.length) return null;
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h3 className="mb-2 text-[13px] font-medium text-faint">
        {attachments.length === 1 ? 'One file' : `${attachments.length} files`}
      </h3>
      <ul className="space-y-2">
        {attachments.map((attachment) => (
          <Row
            key={attachment.attachment_id}
            attachment={attachment}
            isOpenAtFirst={attachment.attachment_id === open}
            terms={terms}
          />
        ))}
      </ul>
    </section>
  );
}

const stateWords = { awaited: 'Fetched with the next sync.', too_big: '', failed: '', stored: '' };

type RowProps = { attachment: Attachment; isOpenAtFirst: boolean; terms: readonly string[] };

function Row({ attachment, isOpenAtFirst, terms }: RowProps) {
  const { attachment_id: id, filename, size, state, reason, has_text, text_state } = attachment;
  const note = reason ?? (text_state === 'awaited' ? 'Its text is being read.' : stateWords[state]);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst && has_text);
  return (
    <li className="rounded-xl border border-line">
      <div className="flex items-center gap-2 px-3 py-2 sm:gap-3">
        <Paperclip className="size-4 shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 flex-1">
          <span className="block text-sm font-medium wrap-anywhere">{filename || 'Unnamed file'}</span>
          <span className="block text-[13px] text-faint">
            {formatByteCount(size)}
            {note && ` · ${note}`}
          </span>
        </span>
        {has_text && (
          <Button
            look="quiet"
            size="small"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Read'} ${filename}`}
            icon={isOpen ? <EyeOff className="size-3.5" aria-hidden /> : <Eye className="size-3.5" aria-hidden />}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Read'}
          </Button>
        )}
        {state === 'stored' && (
          <SaveButton path={`/v1/attachments/${id}/content`} aria-label={`Save ${filename}`} size="small">
            Save
          </SaveButton>
        )}
      </div>
      {isOpen && <Words id={id} filename={filename} terms={terms} />}
    </li>
  );
}

function Words({ id, filename, terms }: { id: string; filename: string; terms: readonly string[] }) {
  const words = useInfiniteQuery(buildAttachmentTextQuery(id));
  if (words.error) return <ErrorState error={words.error} onRetry={() => void words.refetch()} />;
  if (words.isPending) return <Skeleton rows={2} label={`Loading ${filename}`} />;
  return (
    <div className="border-t border-line bg-sunken">
      <pre
        tabIndex={0}
        aria-label={`Text of ${filename}`}
        className="max-h-96 overflow-auto px-3 py-3 font-mono text-[13px] leading-relaxed whitespace-pre-wrap wrap-anywhere"
      >
        <Highlight text={words.data.pages.map(({ text }) => text ?? '').join('')} terms={terms} />
      </pre>
      {words.hasNextPage && (
        <div className="border-t border-line px-3 py-2">
          <Button size="small" isBusy={words.isFetchingNextPage} onClick={() => void words.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
