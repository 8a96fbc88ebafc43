/**
 * The delay of a Retry-After header, in ms. The header has seconds, with fractions from Discord, or a date (RFC 9110
 * §10.2.3). `from`: the time to count from. Null: the header is invalid, or its date is in the past.
 */
export function retryAfterMs(header: string, from: Date): number | null {
  if (isSeconds(header)) return Number(header) * 1_000;
  const ms = Date.parse(header) - from.getTime();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Whether a header is a plain number. */
export function isSeconds(header: string | undefined): header is string {
  return header !== undefined && /^\d{1,15}(\.\d{1,9})?$/.test(header);
}
