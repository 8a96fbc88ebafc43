// Wall clocks in named time zones, computed only with Intl.

/** A wall-clock time; months count from 1. */
export type WallTime = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/** Whether Intl knows the zone. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

/** What a clock in `zone` shows at an instant. */
export function toWallTime(instant: Date, zone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const found = new Map(format.formatToParts(instant).map((part) => [part.type, Number(part.value)]));
  const read = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? 0;
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  };
}

function toUtcMilliseconds(wall: WallTime): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

/** Minutes that `zone` is ahead of UTC at an instant. */
function computeOffsetMinutes(instant: Date, zone: string): number {
  return Math.round(
    (toUtcMilliseconds(toWallTime(instant, zone)) - Math.floor(instant.getTime() / 1000) * 1000) / 60_000,
  );
}

/** The instant at which a clock in `zone` shows this; in a gap of the clock, the moment after it. */
export function findWallInstant(wall: WallTime, zone: string): Date {
  const naive = toUtcMilliseconds(wall);
  const first = new Date(naive - computeOffsetMinutes(new Date(naive), zone) * 60_000);
  return new Date(naive - computeOffsetMinutes(first, zone) * 60_000);
}

/** RFC 3339 with the offset of the zone, seconds precision, `Z` for a zero offset. */
export function formatInZone(instant: Date, zone: string): string {
  const offset = computeOffsetMinutes(instant, zone);
  const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const pad = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
