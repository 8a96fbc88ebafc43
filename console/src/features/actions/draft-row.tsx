import { useNavigate } from '@tanstack/react-router';
import { Paperclip } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { joinClassNames } from '../../design/class-names.ts';
import { Ago } from '../../design/time.tsx';
import { SourceIcon } from '../../design/source-sign.tsx';
import { Countdown } from './countdown.tsx';
import { DangerMark } from './danger-mark.tsx';
import { formatTarget, getDraftHeadline } from './draft-words.ts';
import { ForWhom } from './for-whom.tsx';
import { listPayloadFiles } from './payload.ts';
import type { Draft } from './requests.ts';

type Props = { draft: Draft; isChosen: boolean; isWaiting?: boolean };

/**
 * A draft in the list. It renders again only when it or its selection changes. A router link would render at every
 * change of the URL.
 */
export const DraftRow = memo(function DraftRow({ draft, isChosen, isWaiting = false }: Props) {
  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // the browser handles these clicks
    event.preventDefault();
    const params = { draftId: draft.draft_id };
    void navigate({ to: '/inbox/$draftId', params, replace: isChosen, resetScroll: false });
  };
  return (
    <a
      href={`/inbox/${draft.draft_id}`}
      onClick={open}
      aria-current={isChosen ? 'true' : undefined}
      className={joinClassNames(
        'relative flex gap-3 px-4 py-3 focus-visible:-outline-offset-2',
        isChosen
          ? 'bg-hover before:absolute before:inset-y-2 before:left-0 before:w-[3px] before:rounded-r before:bg-wait'
          : 'hover:bg-hover',
      )}
    >
      <SourceIcon name={draft.source} className="mt-0.5 size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="flex-1 truncate text-sm font-medium">{formatTarget(draft)}</span>
          <span className="text-xs text-faint">
            <Ago at={draft.created_at} />
          </span>
        </span>
        <span className="mt-0.5 block truncate text-sm text-soft">{getDraftHeadline(draft)}</span>
        <span className="mt-1 flex items-center gap-3 text-xs">
          <span className="min-w-0 truncate text-faint">{draft.drafted_by}</span>
          {draft.delegated_by && <ForWhom name={draft.delegated_by} />}
          <DangerMark draft={draft} />
          {isWaiting && draft.edited && <span className="text-go">Edited</span>}
          {isWaiting && <Countdown until={draft.expires_at} />}
          <FileCount count={listPayloadFiles(draft.payload).length} />
        </span>
      </span>
    </a>
  );
});

function FileCount({ count }: { count: number }) {
  if (!count) return null;
  return (
    <span className="flex shrink-0 items-center gap-0.5 text-faint">
      <Paperclip className="size-3" aria-hidden />
      {count}
      <span className="sr-only"> {count === 1 ? 'file' : 'files'}</span>
    </span>
  );
}
