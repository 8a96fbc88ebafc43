import { useState } from 'react';

type DayFigures<Name extends string> = { date: string } & Record<Name, number>;
type Column<Name extends string> = { name: Name; label: string };
type Series<Name extends string> = Column<Name> & { className: string };

type Props<Name extends string> = {
  days: readonly DayFigures<Name>[];
  /** Series drawn side by side, on one scale. */
  series: readonly Series<Name>[];
  /** Further columns of the table. */
  others?: readonly Column<Name>[];
  format?: (figure: number) => string;
  /** The chart in words, for screen readers. */
  describe: (total: (name: Name) => number, most: number) => string;
};

const dayText = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const height = 140;
const slot = 24;
const gap = 3;

/** Daily numbers as grouped columns, with the same numbers in a table below. */
export function DailyChart<Name extends string>(props: Props<Name>) {
  const { days, series, others = [], format = (figure) => figure.toLocaleString(), describe } = props;
  const [shown, setShown] = useState<DayFigures<Name> | null>(null);
  const most = Math.max(...days.flatMap((day) => series.map(({ name }) => day[name])), 0);
  const width = days.length * slot;
  const total = (name: Name) => days.reduce((sum, day) => sum + day[name], 0);
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-[13px] text-soft">
        {series.map(({ name, label, className }) => (
          <span key={name} className="flex items-center gap-1.5">
            <svg viewBox="0 0 8 8" className={`size-2.5 ${className}`} aria-hidden>
              <rect width="8" height="8" rx="2" />
            </svg>
            {label} {format(shown ? shown[name] : total(name))}
          </span>
        ))}
        <span className="text-faint">{shown ? dayText.format(new Date(shown.date)) : 'total'}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${days.length} days: ${describe(total, most)}`}
        className="h-36 w-full"
        preserveAspectRatio="none"
        onPointerLeave={() => setShown(null)}
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {days.map((day, at) => (
          <g key={day.date} onPointerEnter={() => setShown(day)} className="group">
            <rect x={at * slot} width={slot} height={height} className="fill-transparent group-hover:fill-hover" />
            {series.map(({ name, className }, place) => {
              const size = (day[name] / (most || 1)) * (height - 6);
              const columnWidth = (slot - (series.length + 1) * gap) / series.length;
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
      <DayTable days={days} columns={[...series, ...others]} format={format} />
    </figure>
  );
}

type TableProps<Name extends string> = {
  days: readonly DayFigures<Name>[];
  columns: readonly Column<Name>[];
  format: (figure: number) => string;
};

function DayTable<Name extends string>({ days, columns, format }: TableProps<Name>) {
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-[13px] text-faint hover:text-ink">As a table</summary>
      <div className="mt-2 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label="Numbers of each day">
        <table className="w-full max-w-md text-left">
          <thead className="text-[13px] text-faint">
            <tr>
              {['Day', ...columns.map(({ label }) => label)].map((label) => (
                <th key={label} scope="col" className="py-1 pr-4 font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {days.toReversed().map((day) => (
              <tr key={day.date} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal">
                  {dayText.format(new Date(day.date))}
                </th>
                {columns.map(({ name }) => (
                  <td key={name} className="pr-4">
                    {format(day[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
