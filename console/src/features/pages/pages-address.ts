/** Periods to filter pages by. */
export const periods = ['today', 'week', 'month', 'year', 'upcoming'] as const;
export type Period = (typeof periods)[number];

export const periodNames: Record<Period, string> = {
  today: 'Today',
  week: 'Past 7 days',
  month: 'Past 30 days',
  year: 'Past year',
  upcoming: 'Upcoming',
};

/** Kinds of pages that integrations store, as people call them. */
export const pageTypes: Record<string, string> = {
  email: 'Mails',
  calendar_event: 'Events',
  file: 'Files',
  issue: 'Issues',
  message: 'Messages',
  note: 'Notes',
  board_item: 'Board items',
  item: 'Items',
};

/** Search parameters of the reader. `source` may be one account: `gmail:ada@example.com`. `file` is open. */
export type PagesAddress = {
  q?: string | undefined;
  source?: string | undefined;
  type?: string | undefined;
  when?: Period | undefined;
  file?: string | undefined;
};

const dayMs = 86_400_000;
const daysOf = { week: 7, month: 30, year: 365 };

/** The start and end of a period, in the reader's time zone. Whole days keep the query equal all day. */
export function computePeriodBounds(when: Period | undefined, now: Date): { since?: string; until?: string } {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const after = (days: number) => new Date(midnight.getTime() + days * dayMs).toISOString();
  if (when === undefined) return {};
  if (when === 'upcoming') return { since: midnight.toISOString() };
  if (when === 'today') return { since: midnight.toISOString(), until: after(1) };
  return { since: after(-daysOf[when]), until: after(1) };
}
