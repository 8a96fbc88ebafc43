// Bodies by their schema: a field the schema lacks is a fault, which each provider words in its own way.
import type { z } from 'zod';

/** The error of a body. `at` is a dotted path, `name` an unknown field. */
export type BodyError =
  | { kind: 'malformed'; cause: unknown }
  | { kind: 'unknown'; at: string; name: string }
  | { kind: 'missing'; at: string; message: string }
  | { kind: 'invalid'; at: string; message: string };

/** The value, or the first fault. */
export type BodyCheck<T> = { value: T } | { error: BodyError };

/** Checks a value by a schema. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown): BodyCheck<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  const at = issue?.path.join('.') ?? '';
  const message = issue?.message ?? '';
  if (issue?.code === 'unrecognized_keys') return { error: { kind: 'unknown', at, name: issue.keys[0] ?? '' } };
  const isType = issue?.code === 'invalid_type' || issue?.code === 'invalid_union' || issue?.code === 'invalid_value';
  if (isType && issue.input === undefined) return { error: { kind: 'missing', at, message } };
  return { error: { kind: 'invalid', at, message } };
}

/** Checks a JSON text by a schema. An empty one counts as an empty object. */
export function checkJson<T>(schema: z.ZodType<T>, source: string): BodyCheck<T> {
  let value: unknown;
  try {
    value = source.trim() === '' ? {} : JSON.parse(source);
  } catch (cause) {
    return { error: { kind: 'malformed', cause } };
  }
  return checkValue(schema, value);
}
