import { AppError } from '#kernel/errors';
import { readTime } from '#platform/search';
import { z } from 'zod';

/** A time in words; see `shortenContent` and `createEndedAttempt`. */
export const time = z.string().trim().min(1).max(100);

/** The first moment of a time in words, such as the first of March for «last March». Throws `invalid_input`. */
export function parseTimeStart(field: string, said: string, now: Date): Date {
  return readTimeSpan(field, said, now).start;
}

/** The first moment after it, or a moment itself. Throws `invalid_input`. */
export function parseTimeEnd(field: string, said: string, now: Date): Date {
  return readTimeSpan(field, said, now).end;
}

function readTimeSpan(field: string, said: string, now: Date) {
  const span = readTime(said, now);
  if (span) return span;
  throw new AppError(
    'invalid_input',
    `${field}: «${said}» is not a time that Thalamus understands. Use a date such as 2026-03-31 or 2026-03, a time such as 2026-03-31T09:00:00Z, or words such as yesterday, last week, last March, two months ago.`,
  );
}
