import { AppError } from '#kernel/errors';
import { z } from 'zod';

/** A moment with its offset, or a whole day. */
export const momentOrDay = z.union(
  [
    z.iso.datetime({ offset: true }).describe('With its offset, such as 2026-06-01T12:00:00+02:00.'),
    z.iso.date().describe('A whole day.'),
  ],
  { error: 'must be a time with its offset, such as 2026-06-01T12:00:00+02:00, or a day, such as 2026-06-01' },
);

/** Refuses a moment for only one end of an all-day event, because the other end would stay a day. */
export function checkEndsAreAlike(
  { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined },
  { isWholeDay }: { isWholeDay: boolean },
): void {
  if (!isWholeDay || (start === undefined) === (end === undefined)) return;
  const [given, other] = start === undefined ? ['end', 'start'] : ['start', 'end'];
  throw new AppError(
    'invalid_input',
    `${given}: the event takes whole days. Give ${other} too, both as times or days.`,
  );
}
