import { z } from 'zod';

/** A moment with its offset, or a whole day. */
export const momentOrDay = z.union(
  [
    z.iso.datetime({ offset: true }).describe('With its offset, such as 2026-06-01T12:00:00+02:00.'),
    z.iso.date().describe('A whole day.'),
  ],
  { error: 'must be a time with its offset, such as 2026-06-01T12:00:00+02:00, or a day, such as 2026-06-01' },
);
