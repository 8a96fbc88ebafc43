import { z } from 'zod';
import { checkValues } from './check-values.ts';
import type { Face } from './context.ts';
import { convertAtFace } from './convert-refused.ts';
import { AppError } from './errors.ts';
import { describeIssues, formatIssues, type Issue } from './issues.ts';
import type { Operation } from './operation.ts';
import { parseJson } from './parse-json.ts';

/**
 * Parses an operation's input strictly. A field for an object or a list also accepts JSON text, since some clients send
 * only text. Throws `invalid_input` that names each field and its rule.
 */
export function parseInput(operation: Operation, raw: unknown): Record<string, unknown> {
  const unfit = checkValues(raw);
  if (unfit.length) throw createInvalidInputError(operation, unfit, unfit.length);
  const named = resolveAliases(operation, raw ?? {});
  const parsed = operation.input.safeParse(named);
  if (parsed.success) return parsed.data;
  if (operation.ignoresUnknownFields) {
    const known = dropUnknownFields(named, parsed.error.issues);
    if (known !== named) return parseInput(operation, known);
  }
  const unpacked = parseRefusedJson(named, parsed.error.issues);
  if (unpacked) return parseInput(operation, unpacked);
  const { issues } = parsed.error;
  throw createInvalidInputError(operation, describeIssues(issues, operation.input), issues.length);
}

/**
 * The input with each field under its own name. A field that is given under two names stays unknown, and is refused.
 */
function resolveAliases({ aliases }: Operation, raw: unknown): unknown {
  if (!aliases || typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const named = Object.entries(raw).map(([name, value]) => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [own === undefined || own in raw ? name : own, value];
  });
  return Object.fromEntries(named);
}

/** The input without the fields that a schema called unknown, at any depth; the same input when there are none. */
function dropUnknownFields(input: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  return issues.reduce<unknown>(
    (left, issue) => (issue.code === 'unrecognized_keys' ? dropKeys(left, issue.path, issue.keys) : left),
    input,
  );
}

function dropKeys(value: unknown, [name, ...rest]: readonly PropertyKey[], keys: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((each, at) => (at === name ? dropKeys(each, rest, keys) : (each as unknown)));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (name === undefined) return Object.fromEntries(fields.filter(([field]) => !keys.includes(field)));
  return Object.fromEntries(fields.map(([field, each]) => [field, field === name ? dropKeys(each, rest, keys) : each]));
}

/** The input with the JSON text of refused fields parsed; null when no refused field contains any. */
function parseRefusedJson(raw: unknown, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> | null {
  const input = raw as Record<string, unknown>; // an input that is not an object has no refused fields
  const unpacked = issues.flatMap(({ code, path }): [string, object][] => {
    const isOfKind = path.length === 1 && (code === 'invalid_type' || code === 'invalid_union');
    const field = String(path[0]);
    const value = isOfKind && typeof input[field] === 'string' ? parseObject(input[field]) : null;
    return value ? [[field, value]] : [];
  });
  return unpacked.length ? { ...input, ...Object.fromEntries(unpacked) } : null;
}

function parseObject(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return parseJson(text) as object; // the text starts like an object or a list
  } catch {
    return null;
  }
}

/**
 * The input of a call as its face reads it. MCP converts values that a schema refuses, because clients send many values
 * as text; all other faces are strict. Grants are checked after the conversion, so that they judge what runs.
 */
export function readFaceInput(face: Face, operation: Operation, raw: unknown): unknown {
  if (face !== 'mcp' || checkValues(raw).length) return raw;
  const own = dropClientFields(operation, raw ?? {});
  return convertAtFace(face, operation.input, resolveAliases(operation, dropUnsetAliases(operation, own)));
}

/**
 * The fields that n8n adds to the arguments of every tool call of an agent (n8n-io/n8n#21500). The tool call's id shows
 * that n8n added them.
 */
const clientFields = new Set(['toolCallId', 'sessionId', 'chatInput', 'action', 'tool']);

/** The input without fields that a client adds to every call, unless the operation has fields with these names. */
function dropClientFields({ input, aliases = {} }: Operation, raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('toolCallId' in raw)) return raw;
  const isKnown = (name: string) => Object.hasOwn(input.shape, name) || Object.hasOwn(aliases, name);
  return Object.fromEntries(Object.entries(raw).filter(([name]) => isKnown(name) || !clientFields.has(name)));
}

/** Some clients send null for every known field, also for the other name of a field that they set. */
function dropUnsetAliases({ aliases }: Operation, raw: unknown): unknown {
  if (!aliases || typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const fields = Object.entries(raw);
  const isUnset = ([name, value]: [string, unknown]) =>
    Object.hasOwn(aliases, name) && (value === null || value === '');
  return Object.fromEntries(fields.filter((field) => !isUnset(field)));
}

function createInvalidInputError(operation: Operation, issues: Issue[], all: number): AppError {
  return new AppError('invalid_input', `Invalid input for ${operation.name}. ${formatIssues(issues, all)}`, { issues });
}

/**
 * Checks the output of an operation, and drops fields that its schema does not have. A mismatch is a bug of the server.
 */
export function checkOutput(operation: Operation, output: unknown): unknown {
  const parsed = operation.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Error(`the output of ${operation.name} does not match its schema: ${z.prettifyError(parsed.error)}`);
}
