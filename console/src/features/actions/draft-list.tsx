import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { classNames } from '../../design/class-names.ts';
import { Ago } from '../../design/time.tsx';
import { BatchBar } from './batch-bar.tsx';
import { aimOf, headlineOf } from './draft-words.ts';
import { groupsOf } from './groups.ts';
import { PayloadIcon } from './payload-icon.tsx';
import { Countdown } from './countdown.tsx';
import type { Draft } from './requests.ts';

type Props = { ambiguous: readonly Draft[]; drafts: readonly Draft[]; chosen: string | undefined };

/** What needs a person: first what may have been sent, then what waits, batches together. */
export function DraftList({ ambiguous, drafts, chosen }: Props) {
  return (
    <div className="divide-y divide-line">
      {ambiguous.length > 0 && (
        <section>
          <h2 className="flex items-center gap-1.5 px-4 pt-3 pb-1 text-xs font-semibold text-wait">
            <TriangleAlert className="size-3.5" aria-hidden /> May have been sent
          </h2>
          <ul>
            {ambiguous.map((draft) => (
              <Row key={draft.draft_id} draft={draft} isChosen={draft.draft_id === chosen} />
            ))}
          </ul>
        </section>
      )}
      {groupsOf(drafts).map((group) => (
        <section key={group.key}>
          {group.isBatch && <BatchBar drafts={group.drafts} />}
          <ul className="divide-y divide-line">
            {group.drafts.map((draft) => (
              <Row key={draft.draft_id} draft={draft} isChosen={draft.draft_id === chosen} isWaiting />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type RowProps = { draft: Draft; isChosen: boolean; isWaiting?: boolean };

function Row({ draft, isChosen, isWaiting = false }: RowProps) {
  return (
    <li>
      <Link
        to="/inbox/$draftId"
        params={{ draftId: draft.draft_id }}
        replace={isChosen}
        resetScroll={false}
        aria-current={isChosen ? 'true' : undefined}
        className={classNames(
          'relative flex gap-3 px-4 py-3 transition-colors focus-visible:-outline-offset-2',
          isChosen
            ? 'bg-hover before:absolute before:inset-y-2 before:left-0 before:w-[3px] before:rounded-r before:bg-wait'
            : 'hover:bg-hover',
        )}
      >
        <PayloadIcon payload={draft.payload} className="mt-0.5 size-4 shrink-0 text-faint" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="flex-1 truncate text-sm font-medium">{aimOf(draft)}</span>
            <span className="text-xs text-faint">
              <Ago at={draft.created_at} />
            </span>
          </span>
          <span className="mt-0.5 block truncate text-sm text-soft">{headlineOf(draft)}</span>
          <span className="mt-1 flex items-center gap-3 text-xs">
            <span className="min-w-0 truncate text-faint">{draft.drafted_by}</span>
            {isWaiting && <Countdown until={draft.expires_at} />}
          </span>
        </span>
      </Link>
    </li>
  );
}
