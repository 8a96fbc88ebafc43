// What a described action takes: its schema, how it is shown, and the forms of it that calls are filled with.
import type { Preview } from '#kernel/action';
import { z } from 'zod';
import { fewOf } from '../actions/few-of.ts';
import { momentOrDay } from '../actions/moment-or-day.ts';
import { attachedFiles, filesIn, shownFiles } from '../actions/files.ts';
import type { Values } from '../executor/values.ts';
import { written } from './text.ts';
import type { Field, Write } from './write.ts';

const longestPart = 2_000;

/** What an action was given, by its fields. */
export type Payload = Readonly<Record<string, unknown>>;

/** The schema of an action's fields. */
export function payloadOf({ fields, files, oneOf = [], notBoth = [], span }: Write): z.ZodObject {
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
    const message = `must be a day when ${span.from} is one, and after it (of whole days: the day after the last)`;
    schema = schema.refine((payload) => isSpan(payload[span.from], payload[span.to]), { path: [span.to], message });
  }
  return schema;
}

/** Of what is not given nothing can be said. */
function isSpan(from: unknown, to: unknown): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  return isDay(from) === isDay(to) && new Date(from) < new Date(to);
}

function isDay(time: string): boolean {
  return time.length === '2026-06-01'.length;
}

function schemaOf(field: Field): z.ZodType {
  const schema = kindOf(field);
  const described = field.about ? schema.describe(field.about) : schema;
  if ('default' in field && field.default !== undefined) return described.default(field.default);
  return field.isOptional ? described.optional() : described;
}

const text = z.string().refine((value) => !value.includes('\0'), 'must not hold a zero character');
const line = text.trim().regex(/^[^\r\n]*$/, 'must be one line');

function kindOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'line':
      return lineOf(field);
    case 'text':
      return textSchema(field);
    case 'number':
      return z.number().int().min(field.least).max(field.most);
    case 'flag':
      return z.boolean();
    case 'day':
      return z.iso.date();
    case 'moment':
      return z.iso.datetime({ offset: true });
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

function lineOf({ prefix, within, shape, most = 300 }: OfKind<'line'>): z.ZodType {
  const cut = prefix === undefined ? line : line.overwrite((value) => value.replace(prefix, () => ''));
  const meant =
    within === undefined ? cut : cut.overwrite((value) => new RegExp(within, 'u').exec(value)?.[1] ?? value);
  const least = meant.min(1).max(most);
  return shape ? least.regex(new RegExp(shape.pattern, 'u'), shape.says) : least;
}

function textSchema({ default: instead, most = 60_000, mostParts = Infinity }: OfKind<'text'>): z.ZodType {
  const schema = (instead === undefined ? text.min(1) : text).max(most);
  const message = `must have at most ${mostParts} paragraphs, counting ${longestPart} characters of a long one as one`;
  return mostParts === Infinity ? schema : schema.refine((value) => inParts(value).length <= mostParts, message);
}

/** All of a payload, as people read it. */
export function previewOf({ fields, title, handle, notes = [] }: Write, payload: Payload): Preview {
  const empty = handle === 'state' ? 'None' : ''; // of what is changed, an empty list takes away what is there
  const shown = Object.entries(fields).map(([name, field]) => ({
    label: field.label,
    text: shownAs(field, payload[name], empty),
  }));
  const files = { label: 'Attachments', text: shownFiles(filesIn(payload)) };
  const noted = notes.map(({ label, text }) => ({ label, text: written(text, { input: payload }) }));
  return {
    title: written(title, { input: shortened(payload) }).replaceAll(/\s+/g, ' '),
    fields: [...shown, files, ...noted].filter((each) => each.text !== ''),
    isComplete: true,
  };
}

/** Its lists as a title has them. */
function shortened(payload: Payload): Payload {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, Array.isArray(value) ? fewOf(value) : value]),
  );
}

function shownAs(field: Field, value: unknown, empty: string): string {
  if (value === undefined) return '';
  if (field.kind === 'flag') return value ? 'Yes' : 'No';
  if (field.kind === 'choice') return field.options[String(value)] ?? String(value);
  if (Array.isArray(value)) return listed(value) || empty;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** One after the other; in quotes when a comma in one of them could be taken for two. */
export function listed(values: readonly unknown[]): string {
  const hasComma = values.some((each) => String(each).includes(','));
  return values.map((each) => (hasComma ? JSON.stringify(each) : String(each))).join(', ');
}

/** A payload as calls are filled with it: as it was given, and in the forms that providers want. */
export function valuesOf({ fields }: Write, payload: Payload): Values {
  const given = Object.entries(fields).filter(([name]) => payload[name] !== undefined);
  const formed = <Kind extends Field['kind']>(kind: Kind, form: (value: unknown, field: OfKind<Kind>) => unknown) =>
    Object.fromEntries(
      given.flatMap(([name, field]) => (isOf(field, kind) ? [[name, form(payload[name], field)]] : [])),
    );
  return {
    input: payload,
    text: formed('values', (value) => JSON.stringify(value)),
    sent: formed('choice', (value, { sent }) => sent?.[String(value)] ?? value),
    parts: formed('text', (value) => inParts(String(value))),
    html: formed('text', (value) => asHtml(String(value))),
    ids: formed('line', (value, { id }) => (id !== undefined && hasForm(value, id) ? value : undefined)),
    time: formed('time', (value) => timeOf(String(value))),
    names: formed('line', (value, { id }) => (id !== undefined && !hasForm(value, id) ? value : undefined)),
  };
}

type OfKind<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>;

function isOf<Kind extends Field['kind']>(field: Field, kind: Kind): field is OfKind<Kind> {
  return field.kind === kind;
}

function hasForm(value: unknown, pattern: string): boolean {
  return new RegExp(pattern, 'u').test(String(value));
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/** Text where a provider takes HTML: nothing in it is markup, and its lines end. */
function asHtml(value: string): string {
  return value.replaceAll(/\r\n?/g, '\n').replaceAll(/[&<>\n]/g, (sign) => escapes[sign] ?? sign);
}

/** In UTC, to the second. */
function timeOf(value: string) {
  const utc = new Date(value).toISOString().slice(0, 19);
  return isDay(value)
    ? { day: value, moment: null, utc, is_day: true }
    : { day: null, moment: `${utc}Z`, utc, is_day: false };
}

/** Paragraphs, and of long ones pieces that end after a word. */
function inParts(value: string): string[] {
  return value.split(/\n{2,}/).flatMap((paragraph) => {
    const pieces: string[] = [];
    let rest = paragraph;
    while (rest.length > longestPart) {
      const space = rest.lastIndexOf(' ', longestPart);
      const end = space > 0 ? space : longestPart - (isHalf(rest.charCodeAt(longestPart - 1)) ? 1 : 0);
      pieces.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    return rest === '' ? pieces : [...pieces, rest];
  });
}

/** The first half of a sign that is written as two. */
function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
