// How something is written at a provider, as data: what it takes, how it is shown, sent, and found again.
import { handleKinds } from '#kernel/action';
import { z } from 'zod';
import { call, condition, listing, name, path, template } from './pieces.ts';

const word = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be small letters, digits and _');
const count = z.number().int().min(0).max(1_000_000);
const size = z.number().int().min(1).max(100_000_000);
/** Ids are numbers, too. */
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const ofField = {
  /** What people call it. */
  label: name,
  /** What agents are told of it. */
  about: z.string().max(500).optional(),
  isOptional: z.literal(true).optional(),
};

/** One thing that an action takes. */
const field = z.discriminatedUnion('kind', [
  /** One line; `shape` is what it has to look like, said in words, too. `default`: what stands for it when it is left out. */
  z.strictObject({
    ...ofField,
    kind: z.literal('line'),
    most: count.optional(),
    default: z.string().max(200).optional(),
    shape: z.strictObject({ pattern: z.string().max(300), says: z.string().max(200) }).optional(),
    /** Left away at its beginning: the `#` of a channel. */
    prefix: z.string().max(5).optional(),
    /** Of what has this form, such as a link, the first group is meant. */
    within: z.string().max(300).optional(),
    /** What has this form is an id, and known as `{{ids.…}}`; anything else is a name, `{{names.…}}`. */
    id: z.string().max(300).optional(),
  }),
  /** `default`: what stands for it when it is left out; `mostParts`: so many paragraphs, none longer than 2,000 characters. */
  z.strictObject({
    ...ofField,
    kind: z.literal('text'),
    most: count.optional(),
    mostParts: count.optional(),
    default: z.string().max(200).optional(),
  }),
  z.strictObject({ ...ofField, kind: z.literal('number'), least: whole, most: whole }),
  z.strictObject({ ...ofField, kind: z.literal('flag'), default: z.boolean().optional() }),
  /** A day, such as 2026-06-01. */
  z.strictObject({ ...ofField, kind: z.literal('day') }),
  /** A moment with its offset, such as 2026-06-01T12:00:00+02:00. */
  z.strictObject({ ...ofField, kind: z.literal('moment') }),
  /** A moment with its offset, or a whole day. */
  z.strictObject({ ...ofField, kind: z.literal('time') }),
  /** One of these, each with what it is called, and what it is at the provider where that is something else. */
  z.strictObject({
    ...ofField,
    kind: z.literal('choice'),
    options: z.record(z.string().max(100), name),
    sent: z.record(z.string().max(100), z.union([name, z.number(), z.boolean()])).optional(),
    default: z.string().max(100).optional(),
  }),
  z.strictObject({ ...ofField, kind: z.literal('lines'), most: count }),
  /** A mail address, in small letters. */
  z.strictObject({ ...ofField, kind: z.literal('address') }),
  /** Mail addresses. */
  z.strictObject({ ...ofField, kind: z.literal('addresses'), least: count.optional(), most: count }),
  /** Any JSON, by names. */
  z.strictObject({ ...ofField, kind: z.literal('values') }),
]);
export type Field = z.input<typeof field>;

/**
 * One of these places says it, or holds it; or every list there `has` all of these, or `lacks` each of them. Where the template has
 * no value nothing is asked. `entries`: the list there has, for each name and value of what the action took, one with both.
 * `isLoose`: white space does not count, nor how HTML writes signs.
 */
const comparison = z.strictObject({
  at: z.union([path, z.array(path).min(1).max(5).readonly()]),
  is: template.optional(),
  contains: template.optional(),
  entries: z.strictObject({ of: path, name: path, value: path }).optional(),
  isLoose: z.boolean().optional(),
  has: template.optional(),
  lacks: template.optional(),
});
export type Comparison = z.input<typeof comparison>;

/** One thing: by its own address, or among a list. */
const sought = {
  when: condition.optional(),
  one: z.strictObject({ call, at: path }).optional(),
  listing: listing.optional(),
  /** Those of the list that are such things at all. */
  only: condition.optional(),
  where: z.array(comparison).max(10).readonly().optional(),
};
export type Sought = {
  when?: z.input<typeof condition> | undefined;
  one?: { call: z.input<typeof call>; at: string } | undefined;
  listing?: z.input<typeof listing> | undefined;
  only?: z.input<typeof condition> | undefined;
  where?: readonly Comparison[] | undefined;
};

/**
 * Done before sending, to name what is sent to, or to have a handle: `keep` of what is found is known as `{{<as>.…}}` from then
 * on. `makes`: it is not found but made, as what nobody else sees, such as an unsent mail; `again`: how that
 * is found which an earlier attempt has made and could not tell of; one of its comparisons is with the draft itself, since a search may find anything. `each`: one is sought for each of a list,
 * which is known by that name there, and `{{<as>.*.…}}` is of all of them. `all`: of all of the list that it fits, which may be none; with
 * `each`, of each of them `all` that fit, beside what they are of, by its name.
 */
const before = z.strictObject({
  ...sought,
  as: word,
  each: z.strictObject({ of: path, as: word }).optional(),
  keep: z.record(z.string().max(100), path),
  makes: z.literal(true).optional(),
  all: z.literal(true).optional(),
  again: z.strictObject({ listing, where: z.array(comparison).min(1).max(3).readonly() }).optional(),
  /** What is said when it is not there. */
  missing: template,
  /** What is said when several of the list are meant by the same name; absent: the first one is taken. */
  several: template.optional(),
});
export type Before = z.input<typeof before>;

/**
 * How it is told afterwards whether it happened: what is sought is there. `isNew`: where each of the list has its identity;
 * what was there before does not count, unless it is a state that was to be, and of several the oldest does (a list whose ids are no growing
 * numbers is asked for in that order); with `like`, something new that is not like it leaves it
 * unknown. `isGone`: it happened when
 * nothing is there. `version`: where it says which version it is, and which one it was, `which` of a list is meant; of another version that is not as it was to
 * be, and of what is there no more, nobody knows what became of it.
 */
const lookup = z.strictObject({
  ...sought,
  isNew: z.union([path, z.array(path).min(2).max(3).readonly()]).optional(),
  which: z.array(comparison).min(1).max(5).readonly().optional(),
  like: z.array(comparison).min(1).max(10).readonly().optional(),
  isGone: z.literal(true).optional(),
  version: z.strictObject({ at: path, was: template }).optional(),
});
export type Lookup = z.input<typeof lookup>;

/**
 * What is told before anybody decides, of `input`, of what is kept from before, and of what is found by `also`, for this alone. What can be
 * edited says nothing of it. `names`: what it touches, in all ways it is called there, in the words of `target`; `shown`: the same as
 * people read it, in the place of the field that has this label; `people`: everybody it reaches besides its recipients, `or` those where
 * there is nobody (`isSomebody`: of whom there is one at least, or they are not known); `hiddenWhen`: then it does not tell all of them.
 * `about`: how what it changes is called; `was`: of fields, what is written over, where no lookup compares with it. What has no value is left out.
 */
const known = z.strictObject({
  also: z.array(before).max(5).readonly().optional(),
  names: z
    .array(z.union([template, z.strictObject({ text: template, when: condition })]))
    .max(20)
    .readonly()
    .optional(),
  about: template.optional(),
  shown: z
    .array(z.strictObject({ label: name, text: template, when: condition.optional() }))
    .max(5)
    .readonly()
    .optional(),
  people: z
    .array(
      z.strictObject({
        label: name,
        at: path,
        or: path.optional(),
        when: condition.optional(),
        isSomebody: z.literal(true).optional(),
      }),
    )
    .max(5)
    .readonly()
    .optional(),
  hiddenWhen: z.array(condition).max(3).readonly().optional(),
  was: z.record(word, template).optional(),
});

/**
 * One action. Placeholders: `input`, what is kept from before, and `draft`: `id`, `chosen_id` (a UUID for it alone), `nonce` (the
 * same in 25 letters and digits), and since when it can be there (`since`, `since_seconds`, `since_snowflake`). `text`: fields of
 * JSON as text; `sent`: choices as the provider has them; `parts`: fields of text, in parts of at most 2,000 characters; `html`: the
 * same as HTML; `time`: of fields of time, `day` or `moment` (in UTC; the other is null), `is_day`, and `utc`, which is either of
 * them without a zone.
 */
export const writeSchema = z.strictObject({
  name: word,
  summary: z.string().max(300),
  risk: z.enum(['write', 'destructive']),
  /** False: one of the safe set. */
  requiresConfirmation: z.literal(false).optional(),
  /** Of the provider's scopes, those that it needs; absent: all by which its source acts. */
  scopes: z.array(name).readonly().optional(),
  fields: z.record(word, field),
  /** Fields as somebody would give them. */
  example: z.record(word, z.json()),
  /** One of these has to be there. */
  oneOf: z.array(word).readonly().optional(),
  /** Of these at most one is given. */
  notBoth: z.array(word).min(2).max(5).readonly().optional(),
  /** Two times of one kind, the first before the second. */
  span: z.strictObject({ from: word, to: word }).optional(),
  editable: z.array(word).readonly(),
  /** Which fields name people it goes to. */
  recipients: z.array(word).readonly().optional(),
  /** It reaches people, too, whom the provider alone knows. */
  reachesOthers: z.literal(true).optional(),
  known: known.optional(),
  /** What it touches. */
  target: template,
  /** Above the preview. */
  title: template,
  /** What is sent besides the fields, as the preview tells it. */
  notes: z
    .array(z.strictObject({ label: name, text: template }))
    .readonly()
    .optional(),
  /**
   * It takes files, which are brought to what was made before: with so many bytes in all; small ones by a call that has `file.base64`,
   * others in pieces to the address that a call answers. Both know `file.name`, `file.type` and `file.size`.
   */
  files: z
    .strictObject({
      provider: name,
      mostBytes: size,
      small: z.strictObject({ below: size, call }),
      large: z.strictObject({ call, addressAt: path, pieceBytes: size }),
    })
    .optional(),
  handle: z.enum(handleKinds),
  before: z.array(before).max(5).readonly().optional(),
  call,
  /** What in the answer says that it was done; without it the provider is asked. */
  doneWhen: condition.optional(),
  /** Where the answer has what was made. */
  at: path,
  /** What is told of it, of `item`, `input` and what was kept. */
  result: z.record(word, template),
  /** The first whose `when` holds; none: nobody can tell, and a person is asked. */
  lookups: z.array(lookup).max(3).readonly().optional(),
  /**
   * Takes back what was done, as people are told it, for so many minutes; with what was answered as `result`. Twice is once:
   * what is gone already counts as taken back. Steps whose `when` and `where` do not hold, of all that is known, are left out; when none
   * is left, everything was as it is before, and there is nothing to take back.
   */
  undo: z
    .strictObject({
      says: z.string().max(100),
      forMinutes: z.number().int().min(1).max(1_440),
      steps: z
        .array(
          z.strictObject({
            each: z.strictObject({ of: path, as: word }).optional(),
            when: condition.optional(),
            where: z.array(comparison).max(3).readonly().optional(),
            call,
            doneWhen: condition.optional(),
          }),
        )
        .min(1)
        .max(5)
        .readonly(),
    })
    .optional(),
  /** Takes back what was made before, once it is settled that nothing was sent. */
  abandon: call.optional(),
});
export type Write = z.input<typeof writeSchema>;
