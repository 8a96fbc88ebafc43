// Finds which attachments contain the words of a search.
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** An attachment with words of a search, and its text around the first of them. */
export type AttachedWords = { id: string; pageId: string; filename: string; around: string };

const before = 120;
const around = 900;
const mostPerPage = 3;

/**
 * Those attachments of the pages that contain one of the stems, those with most stems first, at most three per page.
 */
export async function findAttachedWords(
  db: Db,
  pageIds: readonly string[],
  stems: readonly string[],
): Promise<AttachedWords[]> {
  if (!pageIds.length || !stems.length) return [];
  const { rows } = await sql<AttachedWords>`
    select id, page_id as "pageId", filename, substr(text, greatest(1, first - ${before}), ${around}) as around
      from (
        select id, page_id, filename, text, found.first,
            row_number() over (partition by page_id order by found.stems desc, position) as rank
          from attachments, lateral (
            select min(place) as first, count(*) as stems
              from (select strpos(lower(filename || ' ' || text), stem) - length(filename) - 1 as place
                      from unnest(${[...stems]}::text[]) as stem) as places
             where place > - length(filename) - 1
          ) as found
         where page_id = any(${[...pageIds]}::uuid[]) and text is not null and found.stems > 0
      ) as ranked
     where rank <= ${mostPerPage}
     order by rank`.execute(db);
  return rows;
}
