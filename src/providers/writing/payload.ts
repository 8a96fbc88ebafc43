// The schema of an action and how a person sees what it was given, both from its fields.
import type { Preview } from '#kernel/action';
import { z } from 'zod';
import { attachedFiles, filesIn, shownFiles } from './files.ts';
import { momentOrDay } from '#providers/reading';
import type { Field, FieldOf, FieldTable, SchemaField } from './fields.ts';
import { inParts, isDay, listed, longestPart } from './texts.ts';

/** What an action was given, by its fields. */
export type Payload = Readonly<Record<string, unknown>>;

/** What an action takes beyond what each field says by itself. */
export type Taken = {
  fields: FieldTable;
  /** It takes files, with so many bytes together. */
  files?: { provider: string; mostBytes: number } | undefined;
  /** One of these is needed. */
  oneOf?: readonly string[] | undefined;
  /** At most one of these is given. */
  notBoth?: readonly string[] | undefined;
  /** Two times of one kind, the first before the second. `isOneDay`: both may be the same day. */
  span?: { from: string; to: string; isOneDay?: true } | undefined;
};

/** The schema of an action's fields. */
export function payloadOf({ fields, files, oneOf = [], notBoth = [], span }: Taken): z.ZodObject {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
  let schema: z.ZodObject = z.strictObject({
    ...shape,
    ...(files && { attachments: attachedFiles(files.mostBytes, files.provider) }),
  });
  if (oneOf.length) {
    const message = `needs one of ${oneOf.join(', ')}`;
    schema = schema.refine((payload) => oneOf.some((name) => payload[name] !== undefined), message);
  }
  if (notBoth.length) {
    const message = `takes one of ${notBoth.join(', ')}, not several`;
    schema = schema.refine((payload) => notBoth.filter((name) => payload[name] !== undefined).length <= 1, message);
  }
  if (span) {
    const after = span.isOneDay
      ? `must be after ${span.from}`
      : `must be after ${span.from} (of whole days: the day after the last)`;
    for (const [given, other] of [
      [span.from, span.to],
      [span.to, span.from],
    ] as const)
      schema = schema.refine((payload) => payload[other] !== undefined || !isDayIn(payload, given), {
        path: [given],
        message: `must be a time with its offset, or stand beside ${other}: a whole day needs both`,
      });
    schema = schema
      .refine((payload) => isAlike(payload, span), {
        path: [span.to],
        message: `must be a day when ${span.from} is one, and a time when ${span.from} is one`,
      })
      .refine((payload) => isSpan(payload, span), { path: [span.to], message: after });
  }
  return schema;
}

/** Whether both are days, or both moments. Times that are left out fit. */
function isAlike(payload: Payload, span: NonNullable<Taken['span']>): boolean {
  const [from, to] = [payload[span.from], payload[span.to]];
  return typeof from !== 'string' || typeof to !== 'string' || isDay(from) === isDay(to);
}

function isDayIn(payload: Payload, name: string): boolean {
  const at = payload[name];
  return typeof at === 'string' && isDay(at);
}

/** Times that are left out fit. */
function isSpan(payload: Payload, span: NonNullable<Taken['span']>): boolean {
  const [from, to] = [payload[span.from], payload[span.to]];
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  if (span.isOneDay && isDay(from) && from === to) return true;
  return isDay(from) !== isDay(to) || new Date(from) < new Date(to);
}

function schemaOf(field: Field): z.ZodType {
  if (field.kind === 'schema') return field.schema;
  const schema = kindOf(field);
  const described = field.about ? schema.describe(field.about) : schema;
  if ('default' in field && field.default !== undefined) return described.default(field.default);
  return field.isOptional ? described.optional() : described;
}

const text = z.string().refine((value) => !value.includes('\0'), 'must not hold a zero character');
const line = text.trim().regex(/^[^\r\n]*$/, 'must be one line');

function kindOf(field: Exclude<Field, SchemaField>): z.ZodType {
  switch (field.kind) {
    case 'line':
      return lineOf(field);
    case 'text':
      return textSchema(field);
    case 'number':
      return z.number().int().min(field.least).max(field.most);
    case 'flag':
      return z.boolean();
    case 'time':
      return momentOrDay;
    case 'choice':
      return z.enum(Object.keys(field.options));
    case 'lines':
      return z.array(line.min(1).max(300)).max(field.most);
    case 'address':
      return z.email().max(320).toLowerCase();
    case 'addresses':
      return z
        .array(z.email().max(320))
        .min(field.least ?? 0)
        .max(field.most);
    case 'values':
      return z.record(z.string().max(200), z.json());
  }
}

function lineOf({ prefix, within, shape, most = 300 }: FieldOf<'line'>): z.ZodType {
  const cut = prefix === undefined ? line : line.overwrite((value) => value.replace(prefix, () => ''));
  const meant =
    within === undefined ? cut : cut.overwrite((value) => new RegExp(within, 'u').exec(value)?.[1] ?? value);
  const least = meant.min(1).max(most);
  return shape ? least.regex(new RegExp(shape.pattern, 'u'), shape.says) : least;
}

function textSchema({ default: instead, most = 60_000, mostParts = Infinity, convert }: FieldOf<'text'>): z.ZodType {
  const limited = (instead === undefined ? text.min(1) : text).max(most);
  const schema = convert ? limited.overwrite(convert) : limited;
  const message = `must have at most ${mostParts} paragraphs, counting ${longestPart} characters of a long one as one`;
  return mostParts === Infinity ? schema : schema.refine((value) => inParts(value).length <= mostParts, message);
}

/** What is shown above and below the fields; `isChange`: an empty list removes what is there, and says so. */
export type Shown = { title: string; notes?: readonly { label: string; text: string }[]; isChange: boolean };

/** Everything an action was given, as people read it. */
export function previewOf(fields: FieldTable, payload: Payload, { title, notes = [], isChange }: Shown): Preview {
  const shown = Object.entries(fields).map(([name, field]) => ({
    label: field.label,
    text: shownAs(field, { value: payload[name], payload, empty: isChange ? 'None' : '' }),
  }));
  const files = { label: 'Attachments', text: shownFiles(filesIn(payload)) };
  return {
    title: title.replaceAll(/\s+/g, ' ').trim(),
    fields: [...shown, files, ...notes].filter((each) => each.text !== ''),
    isComplete: true,
  };
}

type Given = { value: unknown; payload: Payload; empty: string };

function shownAs(field: Field, { value, payload, empty }: Given): string {
  if (value === undefined) return '';
  if (field.kind === 'schema' && field.shown) return field.shown(value, payload);
  if (field.kind === 'flag') return value ? 'Yes' : 'No';
  if (field.kind === 'choice') return field.options[String(value)] ?? String(value);
  if (Array.isArray(value)) return listed(value) || empty;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
