// The parts of descriptors, for reading and for writing.
import { z } from 'zod';
import { endpointSchema } from './endpoint.ts';

export const name = z.string().min(1).max(200);
/**
 * The path of a value, with dots: `response_metadata.next_cursor`, `'@odata.nextLink'`; the empty path is the whole.
 */
export const path = z.string().max(500);
/** Text with placeholders, `{{item.title}}`. */
export const template = z.string().max(20_000);
const scalars = z
  .array(z.union([z.string().max(200), z.number(), z.boolean()]))
  .max(100)
  .readonly();

/** A condition on a value: that it exists, or is one of these. */
export const condition = z.strictObject({ at: path, isOneOf: scalars.optional(), isNot: scalars.optional() });
export type Condition = z.input<typeof condition>;

const { url: _url, ...endpoint } = endpointSchema.shape;
/** An endpoint below the API's base URL. Placeholders: `since`, `until` and `page`. */
export const call = z.strictObject({ ...endpoint, path: z.string().max(4_000) });
export type Call = z.input<typeof call>;

const pageSize = z.number().int().min(1).max(10_000);
/** The position of the next page of a list. */
const paging = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('none') }),
  /** In the `Link` header (RFC 8288), as the next URL. */
  z.strictObject({ by: z.literal('link') }),
  /** In the answer, as the next URL. */
  z.strictObject({ by: z.literal('url'), at: path }),
  /**
   * A token in the answer; the next call has it as `{{page}}`. A page with fewer than `size` items, where that is
   * known, is the last.
   */
  z.strictObject({ by: z.literal('token'), at: path, while: condition.optional(), size: pageSize.optional() }),
  /** A page number: `{{page}}` is 1, 2, 3, or starts at `first`. A page with fewer than `size` items is the last. */
  z.strictObject({ by: z.literal('page'), first: z.number().int().min(0).max(1).optional(), size: pageSize }),
  /** An offset: `{{page}}` is the number of items so far. A page with fewer than `size` items is the last. */
  z.strictObject({ by: z.literal('offset'), size: pageSize }),
]);
export type Paging = z.input<typeof paging>;

/**
 * A list: the call that returns a page, and the path of the items. `nextCall` replaces the call for later pages, where
 * they are requested differently.
 */
export const listing = z.strictObject({ call, nextCall: call.optional(), items: path, paging });
export type Listing = z.input<typeof listing>;

const header = z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be the name of a header in lower-case letters');
const rateLimit = z.strictObject({
  remaining: header,
  reset: header,
  as: z.enum(['seconds', 'epoch_seconds', 'epoch_ms']),
});

/** How an API reports an error, and the time to wait. */
export function pickRefusals({ refusedWhen, rateLimits, notFoundBy }: Refusals): Refusals {
  return { ...(refusedWhen && { refusedWhen }), ...(rateLimits && { rateLimits }), ...(notFoundBy && { notFoundBy }) };
}
export type Refusals = Pick<Api, 'refusedWhen' | 'rateLimits' | 'notFoundBy'>;

/** The address of an API, and the common parts of every call. */
export const apiSchema = z.strictObject({
  baseUrl: endpointSchema.shape.url,
  headers: endpointSchema.shape.headers,
  /** The path of an error in an answer with status 200 (Slack, GraphQL). */
  refusedWhen: condition.optional(),
  /** The headers that report a used-up limit and its reset. `Retry-After` and the usual names are always read. */
  rateLimits: z.array(rateLimit).max(4).readonly().optional(),
  /** Patterns of error texts that mean a missing item, where the status does not show it. */
  notFoundBy: z.array(z.string().max(200)).max(5).readonly().optional(),
});
export type Api = z.input<typeof apiSchema>;
