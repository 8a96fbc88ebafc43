import { useQuery } from '@tanstack/react-query';
import { joinClassNames } from '../../design/class-names.ts';
import { getBlockDay, assignLanes, type Block } from './day.ts';
import { buildDayQuery } from './requests.ts';

const hourHeight = 40;

/** The day of a drafted event with the other events of that day, in the reader's time zone. */
export function DayGrid({ draft }: { draft: Block }) {
  const day = getBlockDay(draft);
  const { data = [] } = useQuery(buildDayQuery(day));
  const known = data.filter(({ eventId }) => eventId === undefined || eventId !== draft.eventId); // not its outcome
  const blocks = assignLanes([draft, ...known], day);
  const from = Math.max(0, Math.floor(Math.min(...blocks.map(({ top }) => top)) - 0.5));
  const to = Math.min(24, Math.ceil(Math.max(...blocks.map(({ bottom }) => bottom)) + 0.5));
  const crossing = known.filter((other) => other.start < draft.end && other.end > draft.start);
  return (
    <section aria-label="The day" className="border-t border-line px-5 py-5 sm:px-6">
      {crossing.length > 0 && (
        <p className="mb-3 text-sm text-wait">At the same time: {crossing.map(({ title }) => title).join(', ')}</p>
      )}
      <div className="relative ml-12" style={{ height: (to - from) * hourHeight }}>
        {Array.from({ length: to - from + 1 }, (_, index) => (
          <div
            key={index}
            aria-hidden
            className="absolute inset-x-0 border-t border-line"
            style={{ top: index * hourHeight }}
          >
            <span className="absolute -top-2 right-full pr-2 text-[11px] whitespace-nowrap text-faint tabular-nums">
              {formatHour(day, from + index)}
            </span>
          </div>
        ))}
        <ul>
          {blocks.map(({ block, top, bottom, lane, lanes }) => (
            <li
              key={block.id}
              className={joinClassNames(
                'absolute overflow-hidden rounded-md border px-2 py-0.5 text-xs leading-snug',
                block === draft
                  ? 'z-10 border-wait bg-wait-wash font-medium text-ink'
                  : 'border-line bg-sunken text-soft',
              )}
              style={{
                top: (top - from) * hourHeight + 1,
                height: Math.max((bottom - top) * hourHeight - 2, 18),
                left: `${(lane / lanes) * 100}%`,
                width: `calc(${100 / lanes}% - 4px)`,
              }}
            >
              <span className="block truncate">
                {block.title || 'No title'} <span className="sr-only">{formatBlockSpan(block)}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function formatHour(day: Date, hour: number): string {
  const at = new Date(day);
  at.setHours(hour);
  return at.toLocaleTimeString(undefined, { hour: 'numeric' });
}

function formatBlockSpan({ start, end }: Block): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).formatRange(start, end);
}
