import { addDays } from './local-day.ts';

/** When an event of whole days is. Calendars give the day after its last one as its end; some give none. */
export function describeWholeDays(first: string, after: string | undefined): string {
  const last = after ? addDays(after, -1) : first;
  return last > first ? `${first} to ${last}, all day` : `${first}, all day`;
}
