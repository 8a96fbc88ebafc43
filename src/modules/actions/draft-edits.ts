// Which fields of a draft a person edited.
import { isDeepStrictEqual } from 'node:util';
import type { Payload } from '#kernel/parse-payload';
import type { DraftRow } from './store/drafts.ts';

/** The fields of a draft that a person edited, with their original values; null: none. */
export function readEdits({ payload, drafted_payload: drafted }: DraftRow): { fields: string[]; was: Payload } | null {
  if (!drafted) return null;
  const fields = listChangedFields(drafted, payload);
  return { fields, was: pickFields(drafted, fields) };
}

/** The names of the fields whose values differ. */
export function listChangedFields(before: Payload, after: Payload): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null));
}

/** Some fields of a payload; null where it lacks them. */
export function pickFields(payload: Payload, fields: readonly string[]): Payload {
  return Object.fromEntries(fields.map((field) => [field, payload[field] ?? null]));
}
