import { sql } from 'kysely';

/** Text that PostgreSQL can store: it takes no zero character and no half of a surrogate pair. `most` cuts it. */
export function toStorableText(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** JSON that PostgreSQL can store. Throws for what is no JSON, or nested too deep. */
export function toStorableJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value ?? null), (_name, each: unknown) =>
    typeof each === 'string' ? toStorableText(each) : each,
  ) as T; // the same but for letters that cannot be kept
}

/** A value as a column of jsonb takes it. */
export function toJsonColumn<T>(value: T) {
  return sql<T>`${JSON.stringify(toStorableJson(value))}::jsonb`;
}
