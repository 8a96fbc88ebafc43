import { parseAddressParts } from './addresses.ts';

/** What somebody invited has answered. */
export type Answer = 'accepted' | 'declined' | 'maybe' | 'none';
export type Attendee = { name: string; address: string; answer: Answer };

const answers: Record<string, Answer> = { accepted: 'accepted', declined: 'declined', maybe: 'maybe' };

/**
 * Who is invited. The addresses are the provider's own; names and answers are read from the line of the page, and an entry
 * counts only for the address that it ends with.
 */
export function parsePageAttendees(addresses: unknown, line: string): Attendee[] {
  const entries = line.split(/, (?=[^,]*(?:@|\())/).map((entry) => {
    const [, who = entry, answer = ''] = /^(.*?)(?: \(([^()]*)\))?$/.exec(entry.trim()) ?? [];
    return { ...parseAddressParts(who), answer: answers[answer] ?? ('none' as const) };
  });
  const known = Array.isArray(addresses) ? addresses.map(String) : [];
  return known.map((address) => {
    const entry = entries.find((each) => each.address === address);
    return { name: entry?.name ?? '', address, answer: entry?.answer ?? 'none' };
  });
}

/** A time of an event; null when it cannot be read. */
export function parseEventTime(value: unknown): string | null {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
}

const dayMs = 86_400_000;

/** «Thursday, 3 December, 10:00 – 11:00», as the reader's own clock says; days alone for an event of whole days. */
export function formatPageEventSpan(frontmatter: Record<string, unknown>): string {
  const start = parseEventTime(frontmatter['start']);
  if (!start) return '';
  const [from, to] = [new Date(start), new Date(parseEventTime(frontmatter['end']) ?? start)];
  if (frontmatter['all_day'] === true) {
    // The end is the day after the last one.
    const last = new Date(Math.max(from.getTime(), to.getTime() - dayMs));
    return `${new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' }).formatRange(from, last)}, all day`;
  }
  const format = new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.formatRange(from, to < from ? from : to);
}

const units: Record<string, string> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const days: Record<string, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};

/** A recurrence rule (RFC 5545) in words: "every 2 weeks on Monday, 10 times". Unknown parts are omitted. */
export function formatRecurrence(value: unknown): string {
  const rules = (Array.isArray(value) ? value.map(String) : [typeof value === 'string' ? value : '']).filter(Boolean);
  const rule = rules.find((each) => each.includes('FREQ='));
  if (!rule) return rules.join(', ');
  const parts = new Map(
    rule
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const unit = units[parts.get('FREQ') ?? ''] ?? 'time';
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const on = (parts.get('BYDAY') ?? '').split(',').flatMap((day) => days[day.slice(-2)] ?? []);
  const until = /^(\d{4})(\d{2})(\d{2})/.exec(parts.get('UNTIL') ?? '');
  return [
    interval > 1 ? `Every ${interval} ${unit}s` : `Every ${unit}`,
    on.length ? ` on ${on.join(', ')}` : '',
    parts.has('COUNT') ? `, ${parts.get('COUNT')} times` : '',
    until ? `, until ${until[1]}-${until[2]}-${until[3]}` : '',
  ].join('');
}
