import { casual, type ParsedResult } from 'chrono-node/en';

/** A time that a text names: what it says, and which parts of the date it says for certain. */
export type NamedDate = ParsedResult;
export type DateParts = ParsedResult['start'];

/** The times that a text in English names, as seen from the moment it was said; all in UTC. */
export function datesIn(text: string, saidAt: Date): NamedDate[] {
  return casual.parse(text, { instant: saidAt, timezone: 'UTC' });
}
