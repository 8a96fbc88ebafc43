import { sql } from 'kysely';

/** Text that PostgreSQL can store, without zero characters and without halves of surrogate pairs. `most` cuts it. */
export function toStorableText(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** JSON that PostgreSQL can store. Throws for text that is not JSON, or nested too deeply. */
export function toStorableJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value ?? null), (_name, each: unknown) =>
    typeof each === 'string' ? toStorableText(each) : each,
  ) as T; // the same except for characters that cannot be stored
}

/** A value in the form that a jsonb column accepts. */
export function toJsonColumn<T>(value: T) {
  return sql<T>`${JSON.stringify(toStorableJson(value))}::jsonb`;
}
