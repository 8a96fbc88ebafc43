// Reads words about time, such as «last March» or «two weeks ago», relative to the moment of the text.
import { parseDates, isRestOfNumber, readIsoTime } from '#platform/dates';

/** A named period; `end` is the first moment after it. */
export type TimeSpan = { readonly unit: TimeUnit; readonly start: Date; readonly end: Date };
export type TimeUnit = 'day' | 'week' | 'month' | 'year';

const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const weekdays = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const amounts = String.raw`\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of|few|couple of`;
const pointing = 'last|this|next|past|previous|coming';

/** Expressions relative to the moment of the text. The matching group is the unit. */
const relative = new RegExp(
  String.raw`\b(?:(?<day>yesterday|today|tonight|tomorrow|last night|this (?:morning|afternoon|evening)|(?:${pointing}) (?:${weekdays})|(?:${amounts}) days? (?:ago|from now))` +
    String.raw`|(?<week>(?:${pointing}) (?:week|weekend)|(?:${amounts}) weeks? (?:ago|from now))` +
    String.raw`|(?<month>(?:${pointing}) (?:month|${months})|(?:${amounts}) months? (?:ago|from now))` +
    String.raw`|(?<year>(?:${pointing}) year|(?:${amounts}) years? (?:ago|from now)))\b`,
  'gi',
);
/** Expressions that name a time themselves. */
const absolute = new RegExp(
  String.raw`(?<![\w-])(?:(?<day>\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?|\d{1,2}(?:st|nd|rd|th)? (?:${months}),? \d{4}|(?:${months}) \d{1,2}(?:st|nd|rd|th)?,? \d{4})` +
    String.raw`|(?<month>\d{4}-\d{2}|(?:${months}),? \d{4}))(?![\w-])`,
  'gi',
);
const yearAlone = /^(?:19|20)\d{2}$/;

/**
 * Every relative time contains one of these words, so one search in a text finds them. They are without their
 * beginnings, to be found faster.
 */
const signs =
  /esterday|oday|onight|omorrow|ast |ext |revious |oming | ago|from now|his (?:mor|aft|eve|wee|mon|yea|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** The first times that a text names relative to its moment. English only. */
export function findRelativeTimes(text: string, saidAt: Date, most: number): TimeSpan[] {
  if (Number.isNaN(saidAt.getTime()) || !signs.test(text)) return [];
  return findSpans(text, relative, saidAt, most);
}

/** The times that a query names, relative or by date, and its `years` without a month. English only. */
export function findQueryTimes(text: string, now: Date, years: readonly number[]): TimeSpan[] {
  const named = years.map((year) => buildSpanAround(new Date(Date.UTC(year, 0, 1)), 'year'));
  return [...findSpans(text, relative, now), ...findSpans(text, absolute, now), ...named];
}

/** Reads a whole text as one time: an ISO date or time, or words such as «last March»; null when it is neither. */
export function readTime(text: string, now: Date): TimeSpan | null {
  const trimmed = text.trim();
  if (/T\d/i.test(trimmed)) {
    const moment = readIsoTime(trimmed);
    return moment && { unit: 'day', start: moment, end: moment };
  }
  if (yearAlone.test(trimmed)) return buildSpanAround(new Date(Date.UTC(Number(trimmed), 0, 1)), 'year');
  for (const expression of [relative, absolute]) {
    const [match] = trimmed.matchAll(expression);
    if (match?.[0].length === trimmed.length) return parseSpan(match, now);
  }
  return null;
}

function findSpans(text: string, expression: RegExp, now: Date, most = Number.POSITIVE_INFINITY): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const match of text.matchAll(expression)) {
    const span = isRestOfNumber(text, match.index) ? null : parseSpan(match, now);
    if (span) spans.push(span);
    if (spans.length >= most) break;
  }
  return spans;
}

function parseSpan({ 0: words, groups = {} }: RegExpMatchArray, now: Date): TimeSpan | null {
  // one of the groups matched, or the expression would not have
  const unit = (['day', 'week', 'month', 'year'] as const).find((each) => groups[each] !== undefined)!;
  const date = parseDateWords(words.toLowerCase(), unit, now);
  return date && buildSpanAround(date, unit);
}

const mostCachedDates = 10_000;
let known = new Map<string, Date | null>();

/** The same words on the same day name the same date; a conversation repeats them often. */
function parseDateWords(words: string, unit: TimeUnit, now: Date): Date | null {
  const key = `${words} ${Math.floor(now.getTime() / 86_400_000)}`;
  let date = known.get(key);
  if (date === undefined) {
    if (known.size >= mostCachedDates) known = new Map();
    date = readDate(words, unit, now);
    known.set(key, date);
  }
  return date;
}

function readDate(words: string, unit: TimeUnit, now: Date): Date | null {
  if (words === 'this week') return now; // chrono's weeks begin on Sunday
  if (/^\d{4}-\d{2}(-\d{2})?$/.test(words)) {
    const day = words.length === 7 ? `${words}-01` : words;
    const date = new Date(`${day}T00:00:00Z`);
    // A day that does not exist, such as 30 February, is read as an existing one.
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? date : null;
  }
  const [result] = parseDates(words, now);
  if (!result) return null;
  const year =
    (result.start.get('year') ?? now.getUTCFullYear()) + computeYearShift(words, unit, result.start.date(), now);
  return new Date(Date.UTC(year, (result.start.get('month') ?? 1) - 1, result.start.get('day') ?? 1));
}

/** «Last March» is the one before this month, «next March» the one after; chrono takes the nearest. */
function computeYearShift(words: string, unit: TimeUnit, found: Date, now: Date): number {
  if (unit !== 'month' || !new RegExp(months).test(words)) return 0;
  const countMonths = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  const distance = countMonths(found) - countMonths(now);
  if (/^(last|past|previous)/.test(words)) return distance >= 0 ? -Math.ceil((distance + 1) / 12) : 0;
  if (/^(next|coming)/.test(words)) return distance <= 0 ? Math.ceil((1 - distance) / 12) : 0;
  return 0;
}

function buildSpanAround(date: Date, unit: TimeUnit): TimeSpan {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const monday = day - ((date.getUTCDay() + 6) % 7);
  const bounds: Record<TimeUnit, [number, number]> = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    week: [Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7)],
    month: [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)],
    year: [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)],
  };
  const [start, end] = bounds[unit];
  return { unit, start: new Date(start), end: new Date(end) };
}
