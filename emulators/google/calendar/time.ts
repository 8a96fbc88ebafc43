// Times of events, and the instances of a series (RFC 5545 RRULE: daily, weekly, monthly and yearly rules).
import { createLegacyError } from '../errors.ts';
import { formatInZone, findWallInstant, toWallTime } from '../../kit/zones.ts';
import type { WallTime } from '../../kit/zones.ts';
import type { EventTime, StoredEvent } from './store.ts';

/** The moment of an event time; a day begins at midnight in the calendar's zone. */
export function toInstant(time: EventTime, zone: string): Date {
  if (time.date) return findWallInstant(parseWallTime(time.date), zone);
  const value = time.dateTime ?? '';
  if (/(Z|[+-]\d\d:\d\d)$/i.test(value)) return new Date(value);
  return findWallInstant(parseWallTime(value), time.timeZone ?? zone);
}

function parseWallTime(value: string): WallTime {
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (value.match(/\d+/g) ?? []).map(Number);
  return { year, month, day, hour, minute, second };
}

type Rule = {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  count: number;
  until: number;
  days: number[];
};

const dayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const dayMs = 86_400_000;

function createRuleError() {
  return createLegacyError(400, { reason: 'invalid', message: 'Invalid recurrence rule.' });
}

function parseUntil(value: string | undefined): number {
  if (!value) return Infinity;
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(value);
  if (!found) throw createRuleError();
  const [year = 0, month = 1, day = 1, hour = 23, minute = 59, second = 59] = found
    .slice(1)
    .map((item) => (item === undefined ? undefined : Number(item)));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Reads the RRULE of a series; rules this emulator does not model are refused rather than misread. */
export function parseRule(recurrence: string[]): Rule | undefined {
  const line = recurrence.find((item) => item.startsWith('RRULE:'));
  if (!line) return undefined;
  const parts = new Map(
    line
      .slice(6)
      .split(';')
      .map((item): [string, string] => {
        const [name = '', value = ''] = item.split('=');
        return [name.toUpperCase(), value.toUpperCase()];
      }),
  );
  const modelled = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST'];
  if ([...parts.keys()].some((name) => !modelled.includes(name))) throw createRuleError();
  const frequency = (['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const).find((item) => item === parts.get('FREQ'));
  const days = (parts.get('BYDAY') ?? '')
    .split(',')
    .filter(Boolean)
    .map((day) => dayNames.indexOf(day));
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const count = Number(parts.get('COUNT') ?? Infinity);
  if (!frequency || days.includes(-1) || !(interval >= 1) || !(count >= 1)) throw createRuleError();
  return { frequency, interval, count, until: parseUntil(parts.get('UNTIL')), days };
}

/** One occurrence of a series. */
export type Instance = { id: string; start: Date; end: Date; originalStartTime: EventTime };

/** Candidate days, in order, as milliseconds of UTC midnight. */
function* enumerateCandidateDays(first: number, rule: Rule): Generator<number> {
  const start = new Date(first);
  for (let step = 0; step < 10_000; step += 1) {
    const ahead = step * rule.interval;
    if (rule.frequency === 'DAILY') {
      const day = first + ahead * dayMs;
      if (rule.days.length === 0 || rule.days.includes(new Date(day).getUTCDay())) yield day;
    } else if (rule.frequency === 'WEEKLY') {
      const monday = first - ((start.getUTCDay() + 6) % 7) * dayMs + ahead * 7 * dayMs;
      const days = rule.days.length === 0 ? [start.getUTCDay()] : rule.days;
      const offsets = days.map((day) => (day + 6) % 7).sort((one, other) => one - other);
      for (const offset of offsets) if (monday + offset * dayMs >= first) yield monday + offset * dayMs;
    } else {
      const months = rule.frequency === 'MONTHLY' ? ahead : ahead * 12;
      const day = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, start.getUTCDate()));
      if (day.getUTCDate() === start.getUTCDate()) yield day.getTime();
    }
  }
}

function formatCompactDate(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function parseExcludedDays(recurrence: string[]): Set<string> {
  const lines = recurrence.filter((item) => item.startsWith('EXDATE'));
  return new Set(lines.flatMap((line) => line.slice(line.indexOf(':') + 1).split(',')));
}

/** The occurrences of a series that start before `limit`, at most 1000. Empty for a single event. */
export function expandInstances(event: StoredEvent, zone: string, limit: Date): Instance[] {
  const recurrence = event.content.recurrence ?? [];
  const rule = parseRule(recurrence);
  if (!rule) return [];
  const { start, end } = event.content;
  const own = start.timeZone ?? zone;
  const first = toInstant(start, own);
  const length = toInstant(end, own).getTime() - first.getTime();
  const wall = toWallTime(first, own);
  const excluded = parseExcludedDays(recurrence);
  const found: Instance[] = [];
  let counted = 0;
  for (const day of enumerateCandidateDays(Date.UTC(wall.year, wall.month - 1, wall.day), rule)) {
    const date = new Date(day);
    const moment = findWallInstant(
      { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      own,
    );
    counted += 1;
    if (counted > rule.count || moment.getTime() > rule.until || moment >= limit || found.length >= 1000) break;
    const isDay = start.date !== undefined;
    const suffix = isDay ? formatCompactDate(date).slice(0, 8) : formatCompactDate(moment);
    const local = formatCompactDate(
      new Date(
        Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), wall.hour, wall.minute, wall.second),
      ),
    );
    if (excluded.has(suffix) || excluded.has(local.replace('Z', ''))) continue;
    found.push({
      id: `${event.id}_${suffix}`,
      start: moment,
      end: new Date(moment.getTime() + length),
      originalStartTime: isDay
        ? { date: date.toISOString().slice(0, 10) }
        : { dateTime: formatInZone(moment, own), timeZone: own },
    });
  }
  return found;
}
