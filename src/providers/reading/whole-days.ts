import { addDays } from './local-day.ts';

/** The days of an all-day event. Calendars give the day after the last one as its end; some give no end. */
export function describeWholeDays(first: string, after: string | undefined): string {
  const last = after ? addDays(after, -1) : first;
  return last > first ? `${first} to ${last}, all day` : `${first}, all day`;
}
