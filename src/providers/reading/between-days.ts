// A window that a caller names by days or moments.
import { z } from 'zod';
import { momentOrDay } from './moment-or-day.ts';
import { isDay, isTimeZone, addDays, findDayStart } from './local-day.ts';

/** The requested part of a calendar. */
export const betweenDays = z
  .strictObject({
    start: momentOrDay,
    end: momentOrDay.describe('An end given as a day includes that day.'),
    time_zone: z
      .string()
      .refine(isTimeZone, 'must be a name such as Europe/Zurich')
      .optional()
      .describe("The time zone in which days begin; default: the account's own."),
  })
  .refine(({ start, end }) => computeBounds({ start, end }, 'UTC').to > computeBounds({ start, end }, 'UTC').from, {
    path: ['end'],
    error: 'must be after start',
  });

/** The period of the requested events; an end given as a day includes its last moment. */
export function computeBounds(
  { start, end }: { start: string; end: string },
  timeZone: string,
): { from: Date; to: Date } {
  return {
    from: isDay(start) ? findDayStart(start, timeZone) : new Date(start),
    to: isDay(end) ? findDayStart(addDays(end, 1), timeZone) : new Date(end),
  };
}
