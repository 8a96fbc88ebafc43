// A provider's REST or GraphQL API, as data: a new one is a file of this form, without code. What a person
// describes (`http_json`) is held to the same form.
import { z } from 'zod';
import { apiSchema, call, condition, listing, name, pageSize, path, template, type Values } from '#providers/http';

/**
 * For each of a list, such as comments, but for the first `skip` and those that `only` leaves out: what is written about it,
 * after the body. Two of them have an empty line between them, or what `join` says. Those of an object have their names as `name`.
 */
const parts = z.strictObject({
  of: path,
  as: name,
  text: template,
  /** What is said of it, known as `{{said}}`: of what nothing is said, such as an empty column, nothing is written. */
  said: template.optional(),
  skip: z.number().int().min(0).max(100).optional(),
  only: condition.optional(),
  join: z.string().max(10).optional(),
  /** The last of the list comes first. */
  isReversed: z.boolean().optional(),
});
export type Parts = z.input<typeof parts>;

/** How an item becomes a page. Texts have placeholders; what has no value is left out. */
const pageTemplate = z.strictObject({
  type: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be small letters, digits and _'),
  /** Its identity at the provider. */
  ref: template,
  title: template,
  /** Blocks with an empty line between them; one whose placeholders all have no value is left out. */
  body: z.array(template).max(50).readonly(),
  parts: z.array(parts).max(10).readonly().optional(),
  frontmatter: z.record(z.string().max(100), template),
  author: template,
  /** Its blocks and parts are HTML, and become text. */
  isHtml: z.boolean().optional(),
  /** Absent: it has no time of its own. */
  occurredAt: template.optional(),
  /**
   * Of an event of a calendar: when it begins and ends, how that is written unless it is of whole days, and what says that it
   * is. Its body has it as `{{when}}`, its frontmatter as `start`, `end` and `all_day`.
   */
  event: z.strictObject({ start: template, end: template, when: template, wholeDaysWhen: condition }).optional(),
  /** What says that it is gone. */
  goneWhen: condition.optional(),
});
export type PageTemplate = z.input<typeof pageTemplate>;

/** Files that come with an item, known as `{{files.…}}`, and each as `{{file.…}}` where it is told how one is named and asked for. */
const files = z.strictObject({
  when: condition.optional(),
  listing,
  /** Those of the list that are files. */
  only: condition.optional(),
  /** Its identity among the files of the item, which lasts. */
  id: template,
  name: template,
  type: template,
  /** In bytes. */
  size: template,
  /** Answers the bytes themselves. */
  content: call,
});
export type Files = z.input<typeof files>;

/** Of what a stream is read once for each, such as channels; `label` is where its name stands, if not at `name`. */
const level = z.strictObject({
  listing,
  as: name,
  id: path,
  label: path.optional(),
  only: condition.optional(),
  /** Each for which that holds has more of them below it, down to `deepest`, where it is known by the same name. */
  below: z.strictObject({ when: condition, listing, deepest: z.number().int().min(1).max(50) }).optional(),
  /** Those that are known by a call alone, which answers them: read before the others, or left out with all below them. */
  special: z
    .array(z.strictObject({ call, are: z.enum(['first', 'left out']) }))
    .max(20)
    .readonly()
    .optional(),
});
export type Level = z.input<typeof level>;

/**
 * Asked by `{{ref}}` for each that is missing in a list that need not have all there is: it is gone when it is not found, or when it
 * says so, or something that it lies in (`above`, by the id that stands at `at`).
 */
const check = z.strictObject({
  call,
  goneWhen: condition,
  above: z
    .array(z.strictObject({ at: path, call }))
    .max(10)
    .readonly()
    .optional(),
});

/**
 * Asked for each item that it concerns, and known as `{{<as>.…}}`; the first `most` of them when there may be many. Each of which
 * all that `below` says holds is followed by what is below it, so deep; that is asked for with it as `{{<below.as>.…}}`.
 */
const detail = z.strictObject({
  when: condition.optional(),
  listing,
  as: name,
  most: pageSize.optional(),
  /** What is left out when this account may not read it: the item is read without it. Absent: the item is an error then. */
  withheld: z.string().max(200).optional(),
  below: z
    .strictObject({
      when: z.array(condition).min(1).max(5).readonly(),
      as: name,
      listing,
      deepest: z.number().int().min(1).max(20),
    })
    .optional(),
});
export type Detail = z.input<typeof detail>;

/**
 * Ids in an item for which names are asked, each by a call with `{{ref}}`: the object with the id at `id`, in a list at `at`, gets
 * the name as its field `as`. The first `most` of an item; what has no name is told as `leftOut`.
 */
const references = z.strictObject({
  at: path,
  id: path,
  call,
  name: path,
  as: name,
  most: pageSize,
  leftOut: z.string().max(200),
});
export type References = z.input<typeof references>;

/** What a message says in all its parts, or a row in its columns, for templates. `names` are those of people, by id. */
export type MessageReader = (message: unknown, names: Values) => object;

/** One kind of thing that is read. */
const stream = z.strictObject({
  name,
  /** It is read once for each of these, such as channels, or channels of each server; a call has them as `{{<as>.…}}`. */
  each: z.array(level).max(3).readonly().optional(),
  listing,
  /**
   * What tells changes from what is known: where an item says when it changed, and how `{{since}}` is written.
   * `overlapDays`: so much is read again each time, for what changes without saying so. `isNewestFirst`, `isUnsorted`:
   * the list cannot be asked for what has changed alone; what is older than what is known ends it, or is passed over, unless
   * by `absence` it is known that it was not there before. `lookBackDays`: a later change does not move an item in the list, so that
   * as much is listed again, and of it is read what has changed by one of the times at `also`.
   */
  since: z.strictObject({
    at: path,
    as: z.enum(['iso', 'seconds', 'snowflake']),
    overlapDays: z.number().min(0).max(366).optional(),
    also: z.array(path).max(5).readonly().optional(),
    lookBackDays: z.number().min(1).max(366).optional(),
    isNewestFirst: z.boolean().optional(),
    isUnsorted: z.boolean().optional(),
  }),
  /** Where the end of the list tells the address at which changes are asked from then on. */
  changesAt: path.optional(),
  /** Whether the provider is asked to answer only when the list has changed (RFC 9110, 304). For lists without details. */
  isConditional: z.boolean().optional(),
  /**
   * What was known and is in the list no more is gone: in a list of its own that names all there is, or in what is read,
   * which then is all there is, or all of the last `overlapDays`.
   */
  absence: z.strictObject({ listing: listing.optional(), check: check.optional() }).optional(),
  /** An item may be moved to another list, of this stream or one that says the same: gone from one, it is gone if no other has it. */
  areMoved: z.boolean().optional(),
  /** Where an answer says how many there are in all: when fewer came, that is told, and nothing counts as gone. */
  total: path.optional(),
  details: z.array(detail).max(10).readonly().optional(),
  files: files.optional(),
  /** Lists that are read once, for names: `{{users.[item.user]}}` is the name of the one with that id. */
  lookups: z
    .array(z.strictObject({ as: name, listing, id: path, name: path }))
    .max(10)
    .readonly()
    .optional(),
  /**
   * Whose messages the items and their details are: each has `words`, all that it says, and `by`, its author. Items of Notion
   * have `columns`, each with its `name` and what is `said` in it.
   */
  messages: z.custom<MessageReader>((reader) => typeof reader === 'function').optional(),
  references: references.optional(),
  /** Items that are nothing of their own: for which one of these holds. What they are stands in `leftOut`. */
  leaveOut: z.array(condition).max(10).readonly().optional(),
  leftOut: z.string().max(200).optional(),
  /** What is left out where this account may not read one of its lists. Absent: that is an error. */
  withheld: z.string().max(200).optional(),
  page: pageTemplate,
});
export type Stream = z.input<typeof stream>;

/** What a sync reads and what not, in words for people. */
const coverageSchema = z.strictObject({
  goesBack: z.string().max(500),
  notRead: z.array(z.string().max(300)).max(20).readonly(),
});

/** A provider's API, as it is read. */
export const descriptorSchema = z.strictObject({
  name,
  label: name,
  description: z.string().max(1_000),
  /** Whose accounts it is linked with, as `modules/connections` names it. */
  provider: name,
  /** For reading, unless it is for acting alone. */
  scopes: z
    .array(z.strictObject({ scope: name, why: z.string().max(500), for: z.literal('act').optional() }))
    .readonly(),
  /** Only accounts that were linked by a token can serve it: a person's consent does not reach so far. */
  linkedBy: z.literal('token').optional(),
  api: apiSchema,
  streams: z.array(stream).min(1).max(20).readonly(),
  coverage: coverageSchema,
  /** Counted up when items are read in more of their parts than before: syncs then read everything once more. */
  revision: z.number().int().min(1).optional(),
  /** After so many days all is read from the beginning: an address at which changes are told keeps the `{{until}}` it began with. */
  renewedAfterDays: z.number().int().min(1).max(366).optional(),
});
export type Descriptor = z.input<typeof descriptorSchema>;

/** The parts of the form that a person may fill in. */
export const described = {
  call: call.shape,
  listing: listing.shape,
  since: stream.shape.since.shape,
  page: pageTemplate.shape,
};
