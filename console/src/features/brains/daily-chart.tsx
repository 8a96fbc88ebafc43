import { useState } from 'react';
import type { Day } from './analytics-requests.ts';

const series = [
  { name: 'memories', label: 'Memories', className: 'fill-go' },
  { name: 'recalls', label: 'Recalls', className: 'fill-faint' },
] as const;

const dayText = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const height = 140;
const slot = 24;
const gap = 3;

/** What was stored and recalled each day, as pairs of columns; the same figures stand in a table below. */
export function DailyChart({ days }: { days: readonly Day[] }) {
  const [shown, setShown] = useState<Day | null>(null);
  const most = Math.max(...days.flatMap(({ memories, recalls }) => [memories, recalls]), 1);
  const width = days.length * slot;
  const total = (name: 'memories' | 'recalls') => days.reduce((sum, day) => sum + day[name], 0);
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-[13px] text-soft">
        {series.map(({ name, label, className }) => (
          <span key={name} className="flex items-center gap-1.5">
            <svg viewBox="0 0 8 8" className={`size-2.5 ${className}`} aria-hidden>
              <rect width="8" height="8" rx="2" />
            </svg>
            {label} {(shown ? shown[name] : total(name)).toLocaleString()}
          </span>
        ))}
        <span className="text-faint">{shown ? dayText.format(new Date(shown.date)) : 'in all'}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${days.length} days: ${total('memories')} memories stored, ${total('recalls')} recalled; at most ${most} in a day.`}
        className="h-36 w-full"
        preserveAspectRatio="none"
        onPointerLeave={() => setShown(null)}
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {days.map((day, at) => (
          <g key={day.date} onPointerEnter={() => setShown(day)} className="group">
            <rect x={at * slot} width={slot} height={height} className="fill-transparent group-hover:fill-hover" />
            {series.map(({ name, className }, place) => {
              const size = (day[name] / most) * (height - 6);
              const columnWidth = (slot - 3 * gap) / 2;
              return (
                <rect
                  key={name}
                  x={at * slot + gap + place * (columnWidth + gap)}
                  y={height - size}
                  width={columnWidth}
                  height={size}
                  className={className}
                />
              );
            })}
          </g>
        ))}
      </svg>
      <p aria-hidden className="mt-1.5 flex justify-between text-xs text-faint">
        <span>{days[0] && dayText.format(new Date(days[0].date))}</span>
        <span>Today</span>
      </p>
      <DayTable days={days} />
    </figure>
  );
}

function DayTable({ days }: { days: readonly Day[] }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-[13px] text-faint hover:text-ink">As a table</summary>
      <div className="mt-2 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label="Figures of each day">
        <table className="w-full max-w-md text-left">
          <thead className="text-[13px] text-faint">
            <tr>
              {['Day', 'Memories', 'Recalls', 'Sessions'].map((name) => (
                <th key={name} scope="col" className="py-1 pr-4 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {days.toReversed().map(({ date, memories, recalls, sessions }) => (
              <tr key={date} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal">
                  {dayText.format(new Date(date))}
                </th>
                <td className="pr-4">{memories}</td>
                <td className="pr-4">{recalls}</td>
                <td>{sessions}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
