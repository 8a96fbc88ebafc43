// Cron schedules in a time zone, and their times.
import { Cron } from 'croner';
import { z } from 'zod';

type Schedule = { cron: string; tz: string };

/** A schedule. `tz` is an IANA time zone: 9 o'clock stays 9 o'clock when clocks change. */
export const cronSchema = z
  .strictObject({
    cron: z.string().trim().min(1).max(200).describe('Five fields, such as 0 9 * * 1.'),
    tz: z.string().min(1).max(60).default('UTC').refine(isZone, 'must be an IANA time zone, such as America/New_York'),
  })
  .refine((schedule) => isSchedule(schedule), {
    path: ['cron'],
    error: 'must be a cron expression of five fields that comes true, such as 0 9 * * 1',
  });

/** The times of a schedule after a moment, in order. */
export function* generateCronTimes({ cron, tz: timezone }: Schedule, after: Date): Generator<Date, undefined> {
  const schedule = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  for (let at = schedule.nextRun(after); at; at = schedule.nextRun(at)) yield at;
}

/** The next time of a schedule after a moment. Null: there is none. */
export function findNextCronTime(schedule: Schedule, after: Date): Date | null {
  return generateCronTimes(schedule, after).next().value ?? null;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isSchedule(schedule: Schedule): boolean {
  try {
    return !isZone(schedule.tz) || findNextCronTime(schedule, new Date(0)) !== null;
  } catch {
    return false;
  }
}
