// A list of JSON that a person describes (`http_json`, recipes): data without code.
import { z } from 'zod';
import { apiSchema, call, condition, listing, name, path, template } from '#providers/http';

/** How an item becomes a page. Placeholders without a value are left out. */
const pageTemplate = z.strictObject({
  type: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be lower-case letters, digits and _'),
  /** Its identity at the provider. */
  ref: template,
  title: template,
  /** Blocks separated by an empty line. A block whose placeholders all have no value is left out. */
  body: z.array(template).max(50).readonly(),
  frontmatter: z.record(z.string().max(100), template),
  author: template,
  /** Its blocks are HTML and are converted to text. */
  isHtml: z.boolean().optional(),
  /** Absent: it has no time of its own. */
  occurredAt: template.optional(),
  /** The condition that marks a deleted item. */
  goneWhen: condition.optional(),
});
export type PageTemplate = z.input<typeof pageTemplate>;

/** One kind of thing that is read. */
const stream = z.strictObject({
  name,
  listing,
  /**
   * The field that says when an item changed, and the form of `{{since}}`. `isUnsorted`: the list cannot be filtered by
   * time, so older items are skipped, unless `absence` knows that they are new.
   */
  since: z.strictObject({ at: path, as: z.enum(['iso', 'seconds']), isUnsorted: z.boolean().optional() }),
  /** Whether the provider is asked to answer only if the list has changed (RFC 9110, 304). */
  isConditional: z.boolean().optional(),
  /** A known item that is missing from the list was deleted. */
  absence: z.strictObject({}).optional(),
  /**
   * The path of the total number of items. When fewer items came, the sync reports that, and no item counts as deleted.
   */
  total: path.optional(),
  page: pageTemplate,
});
export type Stream = z.input<typeof stream>;

/** The parts that a sync reads and does not read, in words for people. */
const coverageSchema = z.strictObject({
  goesBack: z.string().max(500),
  notRead: z.array(z.string().max(300)).max(20).readonly(),
});

/** A service and its lists. */
export const descriptorSchema = z.strictObject({
  name,
  label: name,
  description: z.string().max(1_000),
  provider: name,
  scopes: z
    .array(z.strictObject({ scope: name, why: z.string().max(500), for: z.literal('act').optional() }))
    .readonly(),
  api: apiSchema,
  streams: z.array(stream).min(1).max(20).readonly(),
  coverage: coverageSchema,
});
export type Descriptor = z.input<typeof descriptorSchema>;

/** The parts of the form that a person may fill in. */
export const described = {
  call: call.shape,
  listing: listing.shape,
  since: stream.shape.since.shape,
  page: pageTemplate.shape,
};
