// Reads a window of days from a request in English, by rules only. An ambiguous text is not understood.
import { parseDates, readIsoTime, type DateParts, type NamedDate } from '#platform/dates';
import { findLocalDay, addDays } from './local-day.ts';
import type { LocalMoment } from './source.ts';

/** From the first moment of the day `start` to the last one of the day `end`; or between two moments. */
export type DateWindow = { start: string; end: string };

type Rule = (request: string, today: string) => DateWindow | null;

const isoMoment = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?(?![\d-])/g;
const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const count = String.raw`(\d{1,3}|${numbers.slice(1).join('|')})`;
const many = new RegExp(
  String.raw`\b(?:(within)(?: the)?(?: next)?|(next|coming|following)|(past|last|previous)) ${count} (day|week|month)s?\b`,
  'i',
);
const period = /\b(rest of (?:the|this)|this|current|next|coming|last|past|previous) (weekend|week|month|year)\b/i;
/** Words that chrono reads as one day, but that mean more or less than a day. */
const vague = /^(?:the )?(?:week|month|year|quarter)$|\bnow\b|^\d+$/i;
const numericDate = /\b(\d{1,2})[/.](\d{1,2})(?:[/.]\d{2,4})?\b/;

/** The window that a request names; null when it names none, or an ambiguous one. */
export function parseDateWindow(request: string, { now, timeZone }: LocalMoment): DateWindow | null {
  const today = findLocalDay(now, timeZone);
  for (const rule of rules) {
    const window = rule(request, today);
    if (window) return window;
  }
  return null;
}

const rules: readonly Rule[] = [parseIsoWindow, parseCountedWindow, parsePeriodWindow, parseSpokenWindow];

/** `2026-06-01 … 2026-06-07`, or a single day. */
function parseIsoWindow(request: string): DateWindow | null {
  const found = request.match(isoMoment)?.filter((text) => readIsoTime(text) !== null);
  const [start, end = start] = found ?? [];
  return start && end && found && found.length <= 2 ? { start, end } : null;
}

/** `next 3 days`, `past two weeks`. */
function parseCountedWindow(request: string, today: string): DateWindow | null {
  const match = many.exec(request);
  if (!match) return null;
  const [, , , past, amount = '', unit = ''] = match;
  const size = /^\d/.test(amount) ? Number(amount) : numbers.indexOf(amount.toLowerCase());
  const far = shiftDay(today, (past ? -1 : 1) * size, unit.toLowerCase());
  return past ? { start: far, end: today } : { start: today, end: far };
}

function shiftDay(today: string, size: number, unit: string): string {
  if (unit !== 'month') return addDays(today, unit === 'week' ? size * 7 : size);
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month + size, 0)).getUTCDate();
  return formatIsoDay(year, month - 1 + size, Math.min(day, lastOfMonth));
}

/** `this week`, `next month`, `last weekend`, `rest of the week`. Weeks begin on Monday (ISO 8601). */
function parsePeriodWindow(request: string, today: string): DateWindow | null {
  const [, word = '', unit = ''] = period.exec(request) ?? [];
  const start = starts[unit.toLowerCase()];
  if (!start) return null;
  const step = /^(?:next|coming)/i.test(word) ? 1 : /^(?:last|past|previous)/i.test(word) ? -1 : 0;
  const window = { start: start(today, step), end: addDays(start(today, step + 1), -1) };
  if (unit.toLowerCase() === 'weekend') window.end = addDays(window.start, 1);
  return /^rest/i.test(word) ? { ...window, start: window.start > today ? window.start : today } : window;
}

/** The first day of the period that is `steps` periods from the current one. */
const starts: Readonly<Record<string, (today: string, step: number) => string>> = {
  week: (today, step) => addDays(findMonday(today), step * 7),
  weekend: (today, step) => addDays(findMonday(today), step * 7 + 5),
  month: (today, step) => formatIsoDay(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 + step, 1),
  year: (today, step) => formatIsoDay(Number(today.slice(0, 4)) + step, 0, 1),
};

/**
 * `tomorrow`, `on Friday`, `June 3 to June 7`, `in June`: days that chrono recognises, extended to whole days or
 * months.
 */
function parseSpokenWindow(request: string, today: string): DateWindow | null {
  const [, one = '', other = ''] = numericDate.exec(request) ?? [];
  if (one !== other && Number(one) <= 12 && Number(other) <= 12 && one) return null; // 6/7 is June 7 or July 6
  const found = parseDates(request, new Date(`${today}T12:00:00Z`));
  const windows = found.flatMap((result) => {
    const window = vague.test(result.text) ? null : buildWindow(result, request, today);
    return window ? [window] : [];
  });
  if (!windows.length || windows.length !== found.filter((result) => isNamedDay(result.start)).length) return null;
  const start = windows.map((window) => window.start).toSorted()[0] ?? '';
  const end =
    windows
      .map((window) => window.end)
      .toSorted()
      .at(-1) ?? '';
  return { start, end };
}

function buildWindow({ start, end }: NamedDate, request: string, today: string): DateWindow | null {
  if (!isNamedDay(start)) return null;
  const first = computeSpan(start);
  const last = end ? computeSpan(end) : first;
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day');
  // A weekday without “last” is the next one. chrono takes the nearest.
  const days = isWeekday && first.start < today && !/\b(?:last|past|previous)\b/i.test(request) ? 7 : 0;
  const window = { start: addDays(first.start, days), end: addDays(last.end, days) };
  return window.end < window.start ? null : window;
}

function isNamedDay(part: DateParts): boolean {
  return part.isCertain('day') || part.isCertain('weekday') || part.isCertain('month');
}

function computeSpan(part: DateParts): DateWindow {
  const [year, month, day] = [part.get('year') ?? 0, (part.get('month') ?? 1) - 1, part.get('day') ?? 1];
  if (part.isCertain('day') || part.isCertain('weekday'))
    return { start: formatIsoDay(year, month, day), end: formatIsoDay(year, month, day) };
  return { start: formatIsoDay(year, month, 1), end: formatIsoDay(year, month + 1, 0) };
}

function findMonday(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

function formatIsoDay(year: number, monthIndex: number, day: number): string {
  return new Date(Date.UTC(year, monthIndex, day)).toISOString().slice(0, 10);
}
