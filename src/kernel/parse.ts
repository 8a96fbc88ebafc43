import { z } from 'zod';
import { AppError } from './errors.ts';
import type { Operation } from './operation.ts';

/** Deeper than any input is meant to be, and far from where recursion ends a process. */
const deepest = 50;

type Issue = { path: string; message: string };

/**
 * Parses an operation's input strictly. A field that takes an object or a list takes it as JSON text, too, since some clients
 * pass texts alone. Throws `invalid_input` that names each field and what it should be.
 */
export function parseInput(operation: Operation, raw: unknown): Record<string, unknown> {
  const unstorable = issuesOfText(raw, []);
  if (unstorable.length) throw invalidInput(operation, unstorable);
  const named = withFieldNames(operation, raw ?? {});
  const parsed = operation.input.safeParse(named);
  if (parsed.success) return parsed.data;
  const unpacked = unpackedAt(named, parsed.error.issues);
  if (unpacked) return parseInput(operation, unpacked);
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: saidOf(issue, operation.input),
  }));
  throw invalidInput(operation, issues);
}

/** The input with each field by its own name. A field that is given by both names is left to be refused. */
function withFieldNames({ aliases }: Operation, raw: unknown): unknown {
  if (!aliases || typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const named = Object.entries(raw).map(([name, value]) => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [own === undefined || own in raw ? name : own, value];
  });
  return Object.fromEntries(named);
}

/** The input with JSON text read in those of its fields that were refused; null when there is none. */
function unpackedAt(raw: unknown, issues: readonly z.core.$ZodIssue[]): Record<string, unknown> | null {
  const input = raw as Record<string, unknown>; // an input that is no object has no refused fields
  const unpacked = issues.flatMap(({ code, path }): [string, object][] => {
    const isOfKind = path.length === 1 && (code === 'invalid_type' || code === 'invalid_union');
    const field = String(path[0]);
    const value = isOfKind && typeof input[field] === 'string' ? objectIn(input[field]) : null;
    return value ? [[field, value]] : [];
  });
  return unpacked.length ? { ...input, ...Object.fromEntries(unpacked) } : null;
}

function objectIn(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as object; // it begins as an object or a list
  } catch {
    return null;
  }
}

function invalidInput(operation: Operation, issues: Issue[]): AppError {
  const text = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message)).join('; ');
  return new AppError('invalid_input', `Invalid input for ${operation.name}. ${text}`, { issues: issues.slice(0, 20) });
}

/** Texts that no database keeps: with NUL, or with half a surrogate pair, as cutting by length leaves it. */
function issuesOfText(value: unknown, path: readonly string[]): Issue[] {
  const at = path.join('.');
  if (typeof value === 'string') {
    if (value.includes('\0')) return [{ path: at, message: 'holds a NUL character, which text cannot have.' }];
    if (value.isWellFormed()) return [];
    return [{ path: at, message: 'holds half a character; cut the text between whole ones.' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (path.length > deepest) return [{ path: at.slice(0, 60), message: 'is nested too deeply.' }];
  return Object.entries(value).flatMap(([name, field]) => [
    ...(Array.isArray(value) ? [] : issuesOfText(name, [...path, name])),
    ...issuesOfText(field, [...path, name]),
  ]);
}

/** Checks what an operation answers, and drops fields its schema does not name. A mismatch is our own fault. */
export function checkOutput(operation: Operation, output: unknown): unknown {
  const parsed = operation.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Error(`${operation.name} answered what its schema does not allow: ${z.prettifyError(parsed.error)}`);
}

/** What is wrong with a field, in words that say what it should be. */
export function saidOf(issue: z.core.$ZodIssue, { shape }: Pick<z.ZodObject, 'shape'>): string {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length ? '' : ` Known fields: ${Object.keys(shape).join(', ') || 'none'}.`;
    return `unknown field ${issue.keys.map((key) => `'${key.slice(0, 60)}'`).join(', ')}.${known}`;
  }
  if (issue.code === 'invalid_type' && issue.message.includes('received undefined')) return 'required, and missing';
  if (issue.code === 'too_small' && issue.origin === 'array') return `needs at least ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `takes at most ${issue.maximum}`;
  return issue.message;
}
