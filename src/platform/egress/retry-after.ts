/**
 * The pause that a Retry-After header asks for: seconds, also with fractions as Discord sends them, or a date (RFC 9110
 * §10.2.3). `from`: the time that a date counts from. Null: the header is invalid or its date is over.
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
