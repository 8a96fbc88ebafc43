// When an item of a calendar is, by the template of its page.
import type { Json } from '#kernel/page';
import { holds, type Values, written } from '#providers/http';
import { describeWholeDays, isDay } from '#providers/reading';
import type { PageTemplate } from './descriptor.ts';

/** `when` is for the text of the page; the fields are those that every calendar event has in its frontmatter. */
export type EventTimes = { when: string; fields: Record<'start' | 'end' | 'all_day', Json> };

/** Of whole days only the dates count: which zone their midnights are of says nothing. */
export function readEventTimes(event: NonNullable<PageTemplate['event']>, values: Values): EventTimes {
  const [start, end] = [written(event.start, values), written(event.end, values)];
  const [first, after] = [start.slice(0, 10), end.slice(0, 10)];
  if (!holds(event.wholeDaysWhen, values) || !isDay(first)) {
    return { when: written(event.when, values), fields: { start: start || null, end: end || null, all_day: false } };
  }
  const when = describeWholeDays(first, isDay(after) ? after : undefined);
  return { when, fields: { start: first, end: isDay(after) ? after : null, all_day: true } };
}
