// The schema and the preview of an action, both made from its fields.
import type { Preview } from '#kernel/action';
import { z } from 'zod';
import { createFilesSchema, getFiles, describeFiles } from './files.ts';
import { momentOrDay } from '#providers/reading';
import type { Field, FieldOf, FieldTable, SchemaField } from './fields.ts';
import { splitParagraphs, isDay, formatList, longestPart } from './texts.ts';

/** The input of an action, by its fields. */
export type Payload = Readonly<Record<string, unknown>>;

/** Rules for the input of an action that concern several fields. */
export type InputRules = {
  fields: FieldTable;
  /** It accepts files, with this many bytes in total. */
  files?: { provider: string; mostBytes: number } | undefined;
  /** At least one of these fields is required. */
  oneOf?: readonly string[] | undefined;
  /** At most one of these fields may be given. */
  notBoth?: readonly string[] | undefined;
  /** Two times of the same form, the first before the second. `isOneDay`: both may be the same day. */
  span?: { from: string; to: string; isOneDay?: true } | undefined;
};

/** The schema of an action's fields. */
export function buildPayloadSchema({ fields, files, oneOf = [], notBoth = [], span }: InputRules): z.ZodObject {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, buildFieldSchema(field)]));
  let schema: z.ZodObject = z.strictObject({
    ...shape,
    ...(files && { attachments: createFilesSchema(files.mostBytes, files.provider) }),
  });
  if (oneOf.length) {
    const message = `needs one of ${oneOf.join(', ')}`;
    schema = schema.refine((payload) => oneOf.some((name) => payload[name] !== undefined), message);
  }
  if (notBoth.length) {
    const message = `accepts only one of ${notBoth.join(', ')}`;
    schema = schema.refine((payload) => notBoth.filter((name) => payload[name] !== undefined).length <= 1, message);
  }
  if (span) {
    const after = span.isOneDay
      ? `must be after ${span.from}`
      : `must be after ${span.from} (for whole days: the day after the last)`;
    for (const [given, other] of [
      [span.from, span.to],
      [span.to, span.from],
    ] as const)
      schema = schema.refine((payload) => payload[other] !== undefined || !isDayField(payload, given), {
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

/** Whether both are days, or both are moments. True when a time is left out. */
function isAlike(payload: Payload, span: NonNullable<InputRules['span']>): boolean {
  const [from, to] = [payload[span.from], payload[span.to]];
  return typeof from !== 'string' || typeof to !== 'string' || isDay(from) === isDay(to);
}

function isDayField(payload: Payload, name: string): boolean {
  const at = payload[name];
  return typeof at === 'string' && isDay(at);
}

/** True when a time is left out. */
function isSpan(payload: Payload, span: NonNullable<InputRules['span']>): boolean {
  const [from, to] = [payload[span.from], payload[span.to]];
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  if (span.isOneDay && isDay(from) && from === to) return true;
  return isDay(from) !== isDay(to) || new Date(from) < new Date(to);
}

function buildFieldSchema(field: Field): z.ZodType {
  if (field.kind === 'schema') return field.schema;
  const schema = buildKindSchema(field);
  const described = field.about ? schema.describe(field.about) : schema;
  if ('default' in field && field.default !== undefined) return described.default(field.default);
  return field.isOptional ? described.optional() : described;
}

const text = z.string().refine((value) => !value.includes('\0'), 'must not contain a zero character');
const line = text.trim().regex(/^[^\r\n]*$/, 'must be one line');

function buildKindSchema(field: Exclude<Field, SchemaField>): z.ZodType {
  switch (field.kind) {
    case 'line':
      return buildLineSchema(field);
    case 'text':
      return buildTextSchema(field);
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

function buildLineSchema({ prefix, within, shape, most = 300 }: FieldOf<'line'>): z.ZodType {
  const cut = prefix === undefined ? line : line.overwrite((value) => value.replace(prefix, () => ''));
  const meant =
    within === undefined ? cut : cut.overwrite((value) => new RegExp(within, 'u').exec(value)?.[1] ?? value);
  const least = meant.min(1).max(most);
  return shape ? least.regex(new RegExp(shape.pattern, 'u'), shape.says) : least;
}

function buildTextSchema({
  default: instead,
  most = 60_000,
  mostParts = Infinity,
  convert,
}: FieldOf<'text'>): z.ZodType {
  const limited = (instead === undefined ? text.min(1) : text).max(most);
  const schema = convert ? limited.overwrite(convert) : limited;
  const message = `must have at most ${mostParts} paragraphs, counting ${longestPart} characters of a long one as one`;
  return mostParts === Infinity
    ? schema
    : schema.refine((value) => splitParagraphs(value).length <= mostParts, message);
}

/** The parts of a preview beside the fields. `isChange`: an empty list removes the present values, so it is shown. */
export type PreviewParts = { title: string; notes?: readonly { label: string; text: string }[]; isChange: boolean };

/** All input of an action, as people read it. */
export function buildPreview(
  fields: FieldTable,
  payload: Payload,
  { title, notes = [], isChange }: PreviewParts,
): Preview {
  const shown = Object.entries(fields).map(([name, field]) => ({
    label: field.label,
    text: formatField(field, { value: payload[name], payload, empty: isChange ? 'None' : '' }),
  }));
  const files = { label: 'Attachments', text: describeFiles(getFiles(payload)) };
  return {
    title: title.replaceAll(/\s+/g, ' ').trim(),
    fields: [...shown, files, ...notes].filter((each) => each.text !== ''),
    isComplete: true,
  };
}

type FieldValue = { value: unknown; payload: Payload; empty: string };

function formatField(field: Field, { value, payload, empty }: FieldValue): string {
  if (value === undefined) return '';
  if (field.kind === 'schema' && field.shown) return field.shown(value, payload);
  if (field.kind === 'flag') return value ? 'Yes' : 'No';
  if (field.kind === 'choice') return field.options[String(value)] ?? String(value);
  if (Array.isArray(value)) return formatList(value) || empty;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
