import { sql } from 'kysely';
import type { Period } from '../clock-time.ts';
import type { Db, PageRow } from './tables.ts';
import { isWithin } from './within.ts';

/** An event with its days, if it is an all-day event: the first day, and the day after the last. */
type Event = Pick<PageRow, 'id' | 'slug' | 'title' | 'body' | 'frontmatter' | 'source'> & {
  first_day: string | null;
  day_after: string | null;
};

/** Events of these brains that take place, or are still going on, within a period, earliest first. */
export async function listEvents(
  db: Db,
  brainIds: readonly string[],
  { limit, ...period }: Required<Period> & { limit: number },
): Promise<Event[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('pages')
    .select(['id', 'slug', 'title', 'body', 'frontmatter', 'source'])
    .select([
      sql<string | null>`lower(days)::text`.as('first_day'),
      sql<string | null>`upper(days)::text`.as('day_after'),
    ])
    .where('brain_id', 'in', brainIds)
    .where('type', '=', 'calendar_event')
    .where('deleted_at', 'is', null)
    .where(isWithin(period))
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}
