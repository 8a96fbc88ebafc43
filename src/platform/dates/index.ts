import { casual, type ParsedResult } from 'chrono-node/en';

/** A time in a text: its words, and the parts of the date that they state for certain. */
export type NamedDate = ParsedResult;
export type DateParts = ParsedResult['start'];

/** The times that an English text names, relative to the moment of the text; all in UTC. */
export function datesIn(text: string, saidAt: Date): NamedDate[] {
  return casual.parse(text, { instant: saidAt, timezone: 'UTC' });
}
