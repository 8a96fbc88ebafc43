// Describes what a refused value should look like: its type in a word, and a short example made from the schema.
import type { z } from 'zod';

type Schema = z.core.$ZodType;

const deepest = 4;
const longest = 160;
/** How many fields an example of an object shows. */
const mostFields = 3;

/** The expected form of the value at a path, such as `a list, such as ["…"]`; null: the schema does not say. */
export function describeForm(schema: Schema, path: readonly PropertyKey[]): string | null {
  const wanted = findSchema(schema, path);
  const words = wanted ? [...new Set(listAcceptedWords(wanted))] : [];
  if (!wanted || !words.length) return null;
  const example = JSON.stringify(buildSample(wanted, 0));
  return `${words.join(' or ')}${example && example.length <= longest ? `, such as ${example}` : ''}`;
}

function findSchema(schema: Schema, path: readonly PropertyKey[]): Schema | null {
  let at: Schema | null = schema;
  for (const part of path) if (at) at = findMember(at, part);
  return at;
}

function findMember(schema: Schema, part: PropertyKey): Schema | null {
  const def = unwrapDefinition(schema);
  if (def.type === 'object') return Object.hasOwn(def.shape, part) ? (def.shape[String(part)] ?? null) : null;
  if (def.type === 'array') return def.element;
  if (def.type === 'record') return def.valueType;
  if (def.type !== 'union') return null;
  for (const option of def.options) {
    const member = findMember(option, part);
    if (member) return member;
  }
  return null;
}

/** The definition of a schema without its wrappers: optional, default, null, lazy, pipes. */
function unwrapDefinition(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  const { def } = (schema as z.core.$ZodTypes)._zod; // every zod schema is one of these
  const inner = findInnerSchema(def);
  return inner ? unwrapDefinition(inner) : def;
}

function findInnerSchema(def: z.core.$ZodTypeDef): Schema | null {
  if ('innerType' in def) return def.innerType as Schema;
  if ('getter' in def) return (def.getter as () => Schema)();
  if (!('in' in def && 'out' in def)) return null;
  const [before, after] = [def.in as Schema, def.out as Schema];
  return before._zod.def.type === 'transform' ? after : before;
}

const words: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Texts with a format, each with an example. */
const textForms: Readonly<Record<string, { readonly words: string; readonly sample: string }>> = {
  date: { words: 'a date', sample: '2026-03-01' },
  datetime: { words: 'a time with its zone', sample: '2026-03-01T10:00:00Z' },
  url: { words: 'an address', sample: 'https://example.com' },
  email: { words: 'a mail address', sample: 'ada@example.com' },
};

/** Whether an error about a text of this format can show what the text should look like. */
export function isKnownTextForm(format: string): boolean {
  return Object.hasOwn(textForms, format);
}

function findTextForm(def: z.core.$ZodTypeDef): (typeof textForms)[string] | undefined {
  return 'format' in def && typeof def.format === 'string' && isKnownTextForm(def.format)
    ? textForms[def.format]
    : undefined;
}

function listAcceptedWords(schema: Schema): string[] {
  const def = unwrapDefinition(schema);
  const form = findTextForm(def);
  if (form) return [form.words];
  if (def.type === 'union') return def.options.flatMap(listAcceptedWords);
  return words[def.type] ? [words[def.type] ?? ''] : [];
}

function buildSample(schema: Schema, depth: number): unknown {
  const usual = findDefault(schema);
  if (usual !== undefined) return usual;
  const def = unwrapDefinition(schema);
  if (depth > deepest) return '…';
  switch (def.type) {
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'array':
      return [buildSample(def.element, depth + 1)];
    case 'record':
      return { name: buildSample(def.valueType, depth + 1) };
    case 'object':
      return buildSampleFields(def.shape, depth);
    case 'union':
      return def.options[0] && buildSample(def.options[0], depth);
    default:
      return findTextForm(def)?.sample ?? '…';
  }
}

function buildSampleFields(shape: Readonly<Record<string, Schema>>, depth: number): Record<string, unknown> {
  const all = Object.entries(shape);
  const required = all.filter(([, schema]) => schema._zod.optin === undefined);
  const shown = (required.length ? required : all).slice(0, mostFields);
  return Object.fromEntries(shown.map(([name, schema]) => [name, buildSample(schema, depth + 1)]));
}

/** A simple default is the best example. */
function findDefault(schema: Schema): unknown {
  const { def } = schema._zod;
  if (def.type !== 'default' || !('defaultValue' in def)) return undefined;
  return ['number', 'boolean', 'string'].includes(typeof def.defaultValue) ? def.defaultValue : undefined;
}
