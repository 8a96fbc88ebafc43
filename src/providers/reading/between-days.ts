// A window that a caller names by days or moments.
import { z } from 'zod';
import { momentOrDay } from './moment-or-day.ts';
import { isDay, isTimeZone, addDays, findDayStart } from './local-day.ts';

/** The wanted part of a calendar. */
export const betweenDays = z
  .strictObject({
    start: momentOrDay,
    end: momentOrDay.describe('A day as the end is included.'),
    time_zone: z
      .string()
      .refine(isTimeZone, 'must be a name such as Europe/Zurich')
      .optional()
      .describe("Where days begin; the account's own when absent."),
  })
  .refine(({ start, end }) => computeBounds({ start, end }, 'UTC').to > computeBounds({ start, end }, 'UTC').from, {
    path: ['end'],
    error: 'must be after start',
  });

/** The period of the wanted events; a day as the end includes its last moment. */
export function computeBounds(
  { start, end }: { start: string; end: string },
  timeZone: string,
): { from: Date; to: Date } {
  return {
    from: isDay(start) ? findDayStart(start, timeZone) : new Date(start),
    to: isDay(end) ? findDayStart(addDays(end, 1), timeZone) : new Date(end),
  };
}
