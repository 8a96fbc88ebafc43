// Time zones as calendar files name them: by their own rules, or by a well-known name.
import ICAL from 'ical.js';
import { isTimeZone } from '#providers/reading';
import { findWindowsZone } from './windows-zones.ts';

/** The clocks of a time zone. Local times are in milliseconds, as if they were UTC. */
export type Zone = { toUtc(wall: number): number; toWall(moment: number): number };

const dayMs = 24 * 60 * 60_000;

export const utc: Zone = { toUtc: (wall) => wall, toWall: (moment) => moment };

/**
 * The zone with a well-known name, such as Europe/Zurich, also after a path (`/example.org/Europe/Zurich`), or with a
 * Windows name; else null.
 */
export function findKnownZone(name: string): Zone | null {
  const parts = name.split('/').filter(Boolean);
  const names = [parts.join('/'), parts.slice(-3).join('/'), parts.slice(-2).join('/')];
  const known = names.find((each) => each !== '' && isTimeZone(each)) ?? findWindowsZone(name);
  return known === undefined ? null : createZone(createReadOffset(known));
}

/** The zone that a VTIMEZONE defines, if each of its rules changes the clocks once a year. */
export function parseZone(block: string): { name: string; zone: Zone } | null {
  if (/^RRULE:(?!.*FREQ=YEARLY\b)/im.test(block)) return null;
  const component = new ICAL.Component(ICAL.parse(block));
  const name = component.getFirstPropertyValue('tzid');
  if (typeof name !== 'string') return null;
  const zone = new ICAL.Timezone({ component, tzid: name });
  const offset = (wall: number) => zone.utcOffset(ICAL.Time.fromJSDate(new Date(wall), true)) * 1000;
  const toUtc = (wall: number) => wall - offset(wall);
  // The offset is computed twice, because the first result may be from the other side of a clock change.
  return { name, zone: { toUtc, toWall: (moment) => moment + offset(moment + offset(moment)) } };
}

/**
 * RFC 5545 section 3.3.5: of a repeated time the first one counts, and a skipped time uses the offset before the
 * change.
 */
function createZone(offsetAt: (moment: number) => number): Zone {
  return {
    toWall: (moment) => moment + offsetAt(moment),
    toUtc(wall) {
      const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
      const first = wall - before;
      const isThere = offsetAt(first) === before || offsetAt(wall - after) !== after;
      return isThere ? first : wall - after;
    },
  };
}

function createReadOffset(timeZone: string): (moment: number) => number {
  const clock = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (moment) => {
    const text = clock.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(text) ?? [];
    const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
    return sign === '-' ? -size : size;
  };
}
