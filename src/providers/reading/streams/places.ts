// The positions of all lists, as they are stored between readings.
import { z } from 'zod';

const version = z.object({ url: z.string(), etag: z.string().optional(), modified: z.string().optional() });

/**
 * The position in one list: the last change that was read, and the next page, either of an interrupted reading or of
 * later changes.
 */
const listPosition = z.object({
  since: z.string().nullable(),
  page: z.string().nullable(),
  newest: z.string().nullable(),
  /** The list was read to its end, and its items were reported. */
  is_known: z.literal(true).optional(),
  /**
   * The start time of the current reading of the list, when it looks back further than the last change; null: it reads
   * from the beginning.
   */
  listed_from: z.string().nullable().optional(),
  /** When the list was last looked back into, and how many pages it had then. */
  looked: z.object({ at: z.string(), pages: z.number() }).optional(),
  /** The version of a list that has a single page. */
  version: version.optional(),
});
export type ListPosition = z.output<typeof listPosition>;

/**
 * The positions by stream and list; whether everything is read for the first time, or once more; how far back the first
 * reading went, and when it began.
 */
export const cursor = z.object({
  places: z.record(z.string(), listPosition),
  is_whole: z.boolean().default(false),
  from: z.string().nullable().optional(),
  begun_at: z.string().optional(),
  /** The revision of the source that read it. */
  revision: z.number().optional(),
});
export type Places = z.output<typeof cursor>;
