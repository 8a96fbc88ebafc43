// Converts values that MCP clients send in another type: numbers and lists as text, null or '' for a field that is not
// set.
import { z } from 'zod';
import { checkValues } from './check-values.ts';
import type { Face } from './context.ts';
import { parseJson } from './parse-json.ts';

type Schema = z.core.$ZodType;
type Budget = { left: number };

/** More conversions than any real call needs: nested unions must not take other calls' time. */
const mostLooks = 2_000;
const longestNumber = 40;
const numberForm = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The value unchanged, or converted if it came through MCP. See `convertRefused`. */
export function convertAtFace(face: Face, schema: z.ZodType, value: unknown): unknown {
  return face === 'mcp' ? convertRefused(schema, value) : value;
}

/**
 * The value, with those parts converted that the schema refuses and that exactly match the form it expects: JSON text
 * for a list or an object, the text of a number or a boolean, `{}` for `[]`. In a field that may be absent, null, `''`
 * and `'null'` count as absent, unless the schema accepts them. Accepted parts stay unchanged; parts that match no form
 * stay refused.
 */
export function convertRefused(schema: z.ZodType, value: unknown): unknown {
  return convert(schema, value, { left: mostLooks });
}

function convert(schema: Schema, value: unknown, budget: Budget): unknown {
  budget.left -= 1;
  if (budget.left < 0 || isAccepted(schema, value)) return value;
  if (value === 'null' && isAccepted(schema, null)) return null;
  const { def } = (schema as z.core.$ZodTypes)._zod; // every zod schema is one of these
  switch (def.type) {
    case 'number':
      return parseNumber(value);
    case 'boolean':
      return parseBoolean(value);
    case 'literal':
      return def.values.find((each) => each === parseNumber(value) || each === parseBoolean(value)) ?? value;
    case 'array': {
      const list = parseList(value);
      return Array.isArray(list) ? list.map((each) => convert(def.element, each, budget)) : value;
    }
    case 'object':
      return (
        convertFields(
          parseObject(value),
          (name) => (Object.hasOwn(def.shape, name) ? (def.shape[name] ?? null) : null),
          budget,
        ) ?? value
      );
    case 'record':
      return convertFields(parseObject(value), () => def.valueType, budget) ?? value;
    case 'union':
      return convertToOption(def.options, value, budget);
    default:
      return convertInside(def, value, budget);
  }
}

/** Schemas that wrap one other schema: optional, with a default, lazy, or transforming. */
function convertInside(def: z.core.$ZodTypeDef, value: unknown, budget: Budget): unknown {
  if ('innerType' in def) return convert(def.innerType as Schema, value, budget);
  if ('getter' in def) return convert((def.getter as () => Schema)(), value, budget);
  if (!('in' in def && 'out' in def)) return value;
  const [before, after] = [def.in as Schema, def.out as Schema];
  return convert(before._zod.def.type === 'transform' ? after : before, value, budget);
}

/**
 * The first option that accepts the converted value; else the first option that converts some of it, for a better
 * error.
 */
function convertToOption(options: readonly Schema[], value: unknown, budget: Budget): unknown {
  let read = value;
  for (const option of options) {
    const converted = convert(option, value, budget);
    if (converted === value) continue;
    if (isAccepted(option, converted)) return converted;
    if (read === value) read = converted;
  }
  return read;
}

function convertFields(
  value: object | null,
  findSchema: (name: string) => Schema | null,
  budget: Budget,
): Record<string, unknown> | null {
  if (!value) return null;
  const fields = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const schema = findSchema(name);
    if (!schema) return [[name, each]];
    const converted = convert(schema, each, budget);
    return isUnset(schema, converted) ? [] : [[name, converted]];
  });
  return Object.fromEntries(fields);
}

function isUnset(schema: Schema, value: unknown): boolean {
  const isEmpty = value === null || (typeof value === 'string' && ['', 'null'].includes(value.trim()));
  return isEmpty && isAccepted(schema, undefined) && !isAccepted(schema, value);
}

function isAccepted(schema: Schema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

function parseNumber(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length > longestNumber || !numberForm.test(text)) return value;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : value;
}

function parseBoolean(value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : value;
}

function parseList(value: unknown): unknown {
  const read = parseJsonText(value);
  return isEmptyObject(read) ? [] : read;
}

function parseObject(value: unknown): object | null {
  const read = parseJsonText(value);
  if (typeof read !== 'object' || read === null) return null;
  if (Array.isArray(read)) return read.length === 0 ? {} : null;
  return read;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/**
 * The list or object that a text contains as JSON; anything else unchanged. A text that is too large is not parsed, and
 * so refused.
 */
function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const read = parseJson(value);
    return checkValues(read).length ? value : read;
  } catch {
    return value;
  }
}
