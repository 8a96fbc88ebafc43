import { useEffect, useState } from 'react';

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const now = useNow(30_000);
  const date = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(date)} className="whitespace-nowrap">
      {formatAgo(date, now)}
    </time>
  );
}

/** «3 hr. ago», «yesterday», «in 2 min.» */
function formatAgo(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1_000;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now';
}

/** An exact moment in the reader's own time zone and language. */
export function formatExactMoment(at: string): string {
  return absolute.format(new Date(at));
}

/** The time, kept fresh. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const forms = {
  clock: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  dayOfYear: { day: 'numeric', month: 'short', year: '2-digit' },
} as const;

/**
 * A short time as in a mailbox: the clock time for today, the day for this year, otherwise with the year. The exact
 * time shows on hover. For whole days, the day in UTC counts.
 */
export function ShortTime({ at, isWholeDay = false }: { at: string; isWholeDay?: boolean }) {
  const now = useNow(60_000);
  const date = new Date(at);
  const isToday = !isWholeDay && date.toDateString() === now.toDateString();
  const form = isToday ? forms.clock : date.getFullYear() === now.getFullYear() ? forms.day : forms.dayOfYear;
  return (
    <time dateTime={at} title={isWholeDay ? formatUtcDay(at) : absolute.format(date)} className="whitespace-nowrap">
      {date.toLocaleString(undefined, { ...form, timeZone: isWholeDay ? 'UTC' : undefined })}
    </time>
  );
}

/** The day in UTC, for whole-day items. */
export function formatUtcDay(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
}
