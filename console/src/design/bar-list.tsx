import { joinClassNames } from './class-names.ts';

export type Bar = { name: string; value: number; hint?: string };

type Props = { bars: readonly Bar[]; label: string; format?: (value: number) => string };

/** Amounts side by side, as bars with numbers; screen readers read them as a list. */
export function BarList({ bars, label, format = (value) => value.toLocaleString() }: Props) {
  const longest = Math.max(...bars.map(({ value }) => value)) || 1;
  return (
    <ul aria-label={label} className="space-y-2.5 text-sm">
      {bars.map(({ name, value, hint }) => (
        <li key={`${name} ${hint ?? ''}`}>
          <p className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {name}
              {hint && <span className="ml-2 text-[13px] text-faint">{hint}</span>}
            </span>
            <span className="tabular-nums text-soft">{format(value)}</span>
          </p>
          <div aria-hidden className="mt-1 h-1.5 rounded-full bg-sunken">
            <div
              className={joinClassNames('h-full rounded-full bg-go', value > 0 && 'min-w-1')}
              style={{ width: `${(value / longest) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
