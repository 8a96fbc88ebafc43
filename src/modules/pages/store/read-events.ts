import type { Db, PageRow } from './tables.ts';

type Event = Pick<PageRow, 'id' | 'slug' | 'title' | 'body' | 'frontmatter'>;

/** Events of these brains that begin within a time, the earliest first. */
export async function listEvents(
  db: Db,
  brainIds: readonly string[],
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<Event[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('pages')
    .select(['id', 'slug', 'title', 'body', 'frontmatter'])
    .where('brain_id', 'in', brainIds)
    .where('type', '=', 'calendar_event')
    .where('deleted_at', 'is', null)
    .where('occurred_at', '>=', since)
    .where('occurred_at', '<', until)
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}
