// Times as providers write them.

const discordEpoch = 1_420_070_400_000;
/** This number of seconds is far in the future; as milliseconds it is in 1973. */
const leastMs = 100_000_000_000;

/** The form of `{{since}}`. A snowflake is Discord's id, which begins with its time. */
export type TimeForm = 'iso' | 'seconds' | 'snowflake';

/** A time in milliseconds: ISO 8601, or seconds or milliseconds since 1970; NaN for another value. */
export function parseMoment(value: unknown, as: TimeForm = 'iso'): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^\d+(\.\d+)?$/.test(text)) return text === '' ? Number.NaN : Date.parse(text);
  if (as === 'snowflake') return /^\d{15,20}$/.test(text) ? Number(BigInt(text) >> 22n) + discordEpoch : Number.NaN;
  const time = Number(text) < leastMs ? Number(text) * 1000 : Number(text);
  return Math.abs(time) <= 8.64e15 ? time : Number.NaN;
}

/** A moment in the form that a call needs. */
export function formatMoment(time: number, as: TimeForm): string {
  // The request returns only later items, and the first item of that millisecond must be included.
  if (as === 'snowflake') return String((BigInt(Math.max(1, Math.floor(time) - discordEpoch)) << 22n) - 1n);
  return as === 'seconds' ? (time / 1000).toFixed(6) : new Date(time).toISOString();
}
