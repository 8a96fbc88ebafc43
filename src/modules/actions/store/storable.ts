import { sql } from 'kysely';

/** JSON as the database takes it: text from outside may hold half a character, or a zero, which jsonb has no place for. */
export function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value ?? null), (_name, each: unknown) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each,
  ) as T; // the same but for letters that cannot be kept
}

/** A value as a column of jsonb takes it. */
export function json<T>(value: T) {
  return sql<T>`${JSON.stringify(storable(value))}::jsonb`;
}
