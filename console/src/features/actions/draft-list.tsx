import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from '../../design/class-names.ts';
import { BatchBar } from './batch-bar.tsx';
import { DraftRow } from './draft-row.tsx';
import type { Line } from './groups.ts';
import type { Draft } from './requests.ts';

type Props = {
  ambiguous: readonly Draft[];
  lines: readonly Line[];
  /** The total number of waiting drafts, including unloaded ones. */
  total: number;
  chosen: string | undefined;
  isReading: boolean;
  /** Absent: there is no next page, or it is loading. */
  onNearEnd: (() => void) | undefined;
};

type ListVirtualizer = Virtualizer<HTMLDivElement, HTMLLIElement>;

const [batchHeight, rowHeight] = [48, 82];
/** How many lines before the end the next page is loaded. */
const readAhead = 30;
let offsetBefore = 0;

const ruleClass = 'before:absolute before:-inset-y-px before:left-0 before:w-[3px] before:bg-faint';
/** A line marks the drafts of one batch. */
const lineLooks = { batch: ruleClass, member: joinClassNames(ruleClass, 'pl-4'), draft: '' };

/**
 * The drafts that need a person: first those with an unknown outcome, then the pending ones by batch. Only visible
 * lines are rendered.
 */
export function DraftList({ ambiguous, lines, total, chosen, isReading, onNearEnd }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0), [ambiguous.length]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'batch' ? batchHeight : rowHeight),
    getItemKey: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    overscan: 4,
    scrollMargin: above,
    initialOffset: () => offsetBefore,
  });
  const shown = virtualizer.getVirtualItems();
  useChosenInSight(chosen, lines, virtualizer);
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= lines.length - readAhead;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      ref={scroller}
      onScroll={({ currentTarget }) => void (offsetBefore = currentTarget.scrollTop)}
      className="relative min-h-0 flex-1 overflow-y-auto contain-strict"
    >
      {ambiguous.length > 0 && <Ambiguous drafts={ambiguous} chosen={chosen} />}
      <ul ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const line = lines[index];
          return (
            line && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={onNearEnd || isReading ? -1 : lines.length}
                aria-posinset={index + 1}
                className={joinClassNames(
                  'absolute inset-x-0 top-0 border-b border-line',
                  lineLooks[line.kind === 'draft' && line.isOfBatch ? 'member' : line.kind],
                )}
                style={{ transform: `translateY(${start - above}px)` }}
              >
                {line.kind === 'batch' ? (
                  <BatchBar batchId={line.batchId} drafts={line.drafts} />
                ) : (
                  <DraftRow draft={line.draft} isChosen={line.draft.draft_id === chosen} isWaiting />
                )}
              </li>
            )
          );
        })}
      </ul>
      {isReading && (
        <p className="px-4 py-3 text-center text-xs text-faint">Reading on, {total.toLocaleString()} in all</p>
      )}
    </div>
  );
}

/** Scrolls only when the selection changes, so that new drafts move nothing. */
function useChosenInSight(chosen: string | undefined, lines: readonly Line[], virtualizer: ListVirtualizer): void {
  const onChosen = useEffectEvent(() => {
    const index = lines.findIndex((line) => line.kind === 'draft' && line.key === chosen);
    if (index >= 0) scrollTo(index, virtualizer);
  });
  useEffect(() => onChosen(), [chosen]);
}

/** The position of a rendered line is exact. For other lines it is estimated and corrected, which is slower. */
function scrollTo(index: number, virtualizer: ListVirtualizer): void {
  const { scrollElement, scrollOffset, scrollRect } = virtualizer;
  const line = virtualizer.getVirtualItems().find((each) => each.index === index);
  if (!line || !scrollElement || !scrollRect || scrollOffset === null)
    return virtualizer.scrollToIndex(index, { align: 'auto' });
  const top = Math.max(line.end - scrollRect.height, Math.min(scrollOffset, line.start));
  if (top !== scrollOffset) scrollElement.scrollTo({ top });
}

function Ambiguous({ drafts, chosen }: { drafts: readonly Draft[]; chosen: string | undefined }) {
  return (
    <section className="border-b border-line">
      <h2 className="flex items-center gap-1.5 px-4 pt-3 pb-1 text-xs font-semibold text-wait">
        <TriangleAlert className="size-3.5" aria-hidden /> May have been sent
      </h2>
      <ul>
        {drafts.map((draft) => (
          <li key={draft.draft_id}>
            <DraftRow draft={draft} isChosen={draft.draft_id === chosen} />
          </li>
        ))}
      </ul>
    </section>
  );
}
