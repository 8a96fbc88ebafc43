import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { Period } from '../clock-time.ts';
import type { Condition } from '../where.ts';
import { withConditions, type Query } from './conditions.ts';
import type { Db, PageRow } from './tables.ts';
import { isWithin } from './within.ts';

/** A page with the name of its brain, for answers. */
export type Page = PageRow & { brain_name: string };

export async function locatePages(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await selectLivePages(db).select(['pages.id', 'pages.brain_id']).where('pages.id', 'in', ids).execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

/** Live pages with these ids that meet the conditions, in the order of the ids. */
export async function findPages(
  db: Db,
  ids: readonly string[],
  conditions: readonly Condition[] = [],
): Promise<Page[]> {
  if (!ids.length) return [];
  const rows = await withAllColumns(withConditions(selectLivePages(db), conditions))
    .where('pages.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The page with a slug among these brains: the one in the preferred brain first, then the newest. */
export async function findPageBySlug(
  db: Db,
  slug: string,
  { brainIds, preferred }: { brainIds: readonly string[]; preferred: string },
): Promise<Page | undefined> {
  if (!brainIds.length) return undefined;
  return withAllColumns(selectLivePages(db))
    .where('pages.slug', '=', slug)
    .where('pages.brain_id', 'in', brainIds)
    .orderBy(sql`pages.brain_id = ${preferred}`, 'desc')
    .orderBy('pages.updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The live pages of a brain with these slugs. */
export async function listPagesBySlug(db: Db, brainId: string, slugs: readonly string[]): Promise<PageRow[]> {
  if (!slugs.length) return [];
  return selectLivePages(db).selectAll().where('brain_id', '=', brainId).where('slug', 'in', slugs).execute();
}

/** The newest live page of a type in these brains, optionally of one day. */
export async function findLatestPage(
  db: Db,
  brainIds: readonly string[],
  { type, day }: { type: string; day: string | undefined },
): Promise<PageRow | undefined> {
  if (!brainIds.length) return undefined;
  return selectLivePages(db)
    .selectAll()
    .where('type', '=', type)
    .where('brain_id', 'in', brainIds)
    .$if(day !== undefined, (query) => query.where(sql<boolean>`(occurred_at at time zone 'UTC')::date = ${day}::date`))
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Those of these pages that exist, each with a value that identifies its version: after a failover a transaction id
 * alone can occur again.
 */
export async function listLiveVersions(db: Db, ids: readonly string[]): Promise<{ id: string; changed: string }[]> {
  const { rows } = await sql<{ id: string; changed: string }>`
    select id, changed_xact::text || ' ' || updated_at::text || ' ' || content_hash as changed from pages
     where id = any(${[...ids]}::uuid[]) and deleted_at is null order by id`.execute(db);
  return rows;
}

export type PageFilter = {
  brainIds: readonly string[];
  types?: readonly string[];
  /** A source or anything below it: `gmail` includes `gmail:ada@example.com`. */
  source?: string;
  conditions?: readonly Condition[];
  period?: Period;
};

/** The orders of page lists; `list_pages` explains each. */
export type PageOrder = 'latest' | 'soonest' | 'updated' | 'occurred';

/** A page without a time counts as from 1970, and is ordered by when it was stored. */
const happened = sql`coalesce(nullif(pages.occurred_at, to_timestamp(0)), pages.updated_at)`;

/** Live pages in the requested order, and their total number. */
export async function listPages(
  db: Db,
  filter: PageFilter,
  { limit, offset, sort, now }: { limit: number; offset: number; sort: PageOrder; now: Date },
): Promise<{ pages: Page[]; total: number }> {
  if (!filter.brainIds.length) return { pages: [], total: 0 };
  const chosen = selectPages(db, filter);
  const { total } = await chosen.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const pages = await withAllColumns(chosen)
    .$if(sort === 'updated', (query) => query.orderBy('pages.updated_at', 'desc'))
    .$if(sort === 'soonest', (query) => query.orderBy('pages.occurred_at', 'asc'))
    .$if(sort === 'latest', (query) =>
      query
        .orderBy(sql`case when pages.occurred_at > ${now} then pages.occurred_at end`, (by) => by.asc().nullsFirst())
        .orderBy(happened, 'desc'),
    )
    .orderBy('pages.occurred_at', 'desc')
    .orderBy('pages.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { pages, total };
}

/** The former versions of a page, newest first. */
export async function listVersions(db: Db, pageId: string) {
  return db
    .selectFrom('page_versions')
    .select(['version', 'title', 'created_at'])
    .where('page_id', '=', pageId)
    .orderBy('version', 'desc')
    .limit(100)
    .execute();
}

function selectLivePages(db: Db) {
  return db.selectFrom('pages').where('pages.deleted_at', 'is', null);
}

/** With every column and the brain's name. */
function withAllColumns<Row>(query: Query<Row>) {
  return query
    .innerJoin('brain_directory as brains', 'brains.id', 'pages.brain_id')
    .selectAll('pages')
    .select('brains.name as brain_name');
}

function selectPages(db: Db, { brainIds, types, source, conditions = [], period = {} }: PageFilter) {
  return withConditions(selectLivePages(db), conditions)
    .where('pages.brain_id', 'in', brainIds)
    .where(isWithin(period))
    .$if(types !== undefined, (query) => query.where('pages.type', 'in', types ?? []))
    .$if(source !== undefined, (query) =>
      query.where(sql<boolean>`(pages.source = ${source ?? ''} or starts_with(pages.source, ${`${source ?? ''}:`}))`),
    );
}

/**
 * The number of live pages stored in brains since a time, by source. A page that last changed before that time was not
 * stored since, either.
 */
export async function countPagesBySource(db: Db, brainIds: readonly string[], since: Date) {
  return db
    .selectFrom('pages')
    .select(['source', (eb) => eb.fn.countAll<number>().as('pages')])
    .where('brain_id', 'in', brainIds)
    .where('updated_at', '>=', since)
    .where('created_at', '>=', since)
    .where('deleted_at', 'is', null)
    .groupBy('source')
    .execute();
}

/** The selected pages of a source: live ones whose reference has a prefix, and that happened within a period. */
export type RefFilter = {
  brainId: string;
  source: string;
  prefix: string;
  from?: Date | null;
  until?: Date | null;
  /** Only pages that have not changed since then. */
  notSince?: Date;
};

/** The references of pages at their source, in order, and what kind of page each is. */
export async function listRefs(
  db: Db,
  { brainId, source, prefix, from, until, notSince }: RefFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ sourceRef: string; type: string }[]> {
  return selectLivePages(db)
    .select([sql<string>`source_ref`.as('sourceRef'), 'pages.type'])
    .where('pages.brain_id', '=', brainId)
    .where('pages.source', '=', source)
    .where(sql<boolean>`starts_with(source_ref, ${prefix})`)
    .$if(after !== undefined, (query) => query.where('source_ref', '>', after ?? ''))
    .$if(Boolean(from), (query) => query.where('occurred_at', '>', from ?? new Date(0)))
    .$if(Boolean(until), (query) =>
      // In a zone west of Greenwich an all-day event begins up to 12 hours after midnight UTC of its day.
      query.where(
        sql<boolean>`occurred_at + case when days is null then interval '0' else interval '12 hours' end < ${until}`,
      ),
    )
    .$if(notSince !== undefined, (query) => query.where('updated_at', '<', notSince ?? new Date(0)))
    .orderBy('source_ref')
    .limit(limit)
    .execute();
}

/** Whether a brain has the page with a reference. */
export async function hasPage(db: Db, brainId: string, sourceRef: string): Promise<boolean> {
  const page = await selectLivePages(db)
    .select('pages.id')
    .where('pages.brain_id', '=', brainId)
    .where('source_ref', '=', sourceRef)
    .executeTakeFirst();
  return page !== undefined;
}
