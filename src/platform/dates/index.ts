export { cronSchema, findNextCronTime, generateCronTimes } from './cron.ts';
export { describeSchedule } from './describe-schedule.ts';
import { casual, type ParsedResult } from 'chrono-node/en';

/** A time in a text: its words, and the parts of the date that they state for certain. */
export type NamedDate = ParsedResult;
export type DateParts = ParsedResult['start'];

/** Text before the end of a longer number: 7,150; twenty-five; a hundred and two. */
const beginOfNumber = /(?:\d|ty|teen|hundred|thousand|[mb]illion|half|hundred and|thousand and)[-.,'’/\s]?$/i;
const longestBegin = 16;

/** The times that an English text names, relative to the moment of the text; all in UTC. */
export function parseDates(text: string, saidAt: Date): NamedDate[] {
  return casual.parse(text, { instant: saidAt, timezone: 'UTC' }).filter(({ text: words, index }) => {
    const isRelative = /\b(?:ago|from now|later|earlier)\b/i.test(words);
    return !isRelative || !isRestOfNumber(text, index);
  });
}

/** Whether the number at a position is only the end of a longer one, such as 150 in «7,150 years ago». */
export function isRestOfNumber(text: string, at: number): boolean {
  return beginOfNumber.test(text.slice(Math.max(0, at - longestBegin), at));
}

const isoForm = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads an ISO 8601 date or time; UTC unless it says otherwise. Null for another form, and for a day that does not
 * exist.
 */
export function readIsoTime(text: string): Date | null {
  const [, day, time = 'T00:00Z', zone] = isoForm.exec(text) ?? [];
  if (!day) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const moment = new Date(`${day}${time}${time === 'T00:00Z' || zone ? '' : 'Z'}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
