// The positions of all lists, as they are stored between two readings.
import { z } from 'zod';

const version = z.object({ url: z.string(), etag: z.string().optional(), modified: z.string().optional() });

/** Of one list: the last change that was read, and the next page: of a reading that was broken off, or of later changes. */
const listPosition = z.object({
  since: z.string().nullable(),
  page: z.string().nullable(),
  newest: z.string().nullable(),
  /** It was read to its end, and its items were reported. */
  is_known: z.literal(true).optional(),
  /** From when on the reading under way lists, where it looks back further than what changed since; null: from the beginning. */
  listed_from: z.string().nullable().optional(),
  /** When a list was last looked back into, and how many pages it had then. */
  looked: z.object({ at: z.string(), pages: z.number() }).optional(),
  /** Of a list with a single page. */
  version: version.optional(),
});
export type ListPosition = z.output<typeof listPosition>;

/**
 * By stream, and by what it is read for; whether all of it is read for the first time, or once more; how far back that went, and
 * when it began.
 */
export const cursor = z.object({
  places: z.record(z.string(), listPosition),
  is_whole: z.boolean().default(false),
  from: z.string().nullable().optional(),
  begun_at: z.string().optional(),
  /** By which revision of the source it was read. */
  revision: z.number().optional(),
});
export type Places = z.output<typeof cursor>;
