// Days as people mean them: in their own time zone (IANA name).

const day = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day, `2026-06-01`, and not a moment. */
export function isDay(text: string): boolean {
  return day.test(text);
}

/** The day at a moment in a time zone. */
export function findLocalDay(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(moment);
}

/** The day `days` later, or earlier. */
export function addDays(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The moment a day begins in a time zone: midnight, or the first time after it where the clocks skip midnight. */
export function findDayStart(text: string, timeZone: string): Date {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  // The offset is computed twice, because the first result may be from the other side of a clock change.
  const guess = midnight - readOffsetMs(new Date(midnight), timeZone);
  return new Date(midnight - readOffsetMs(new Date(guess), timeZone));
}

/** Whether the name is a time zone that this server knows. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** How far a zone is ahead of UTC, as `GMT+02:00`. */
function readOffsetMs(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
