import { sql, type RawBuilder } from 'kysely';
import { alignAttachments } from './align-attachments.ts';
import type { NewPage } from '#kernel/page';
import { hashPageContent, buildPageSlug, toStorablePage } from '../new-page.ts';
import type { Db, PageRow } from './tables.ts';

/** The place and time of stored pages. */
export type PageScope = { workspaceId: string; brainId: string; at: Date; newId: () => string };

/** The outcome of a page. */
export type PageOutcome = {
  id: string;
  slug: string;
  sourceRef: string;
  change: 'created' | 'changed' | 'removed' | 'none';
};

type KnownPage = Pick<PageRow, 'id' | 'slug' | 'content_hash' | 'version' | 'deleted_at'> & { source_ref: string };

/**
 * Stores pages by their `sourceRef`: new ones, changed ones with their former version kept, and nothing for equal ones.
 * Waits for concurrent writers of the same pages, whose pages then count as existing.
 */
export async function upsertPages(db: Db, pages: readonly NewPage[], place: PageScope): Promise<PageOutcome[]> {
  // All transactions lock in one order, to avoid deadlocks between two readers of one account.
  const byRef = new Map(pages.toSorted(compareByRef).map((page) => [page.sourceRef, toStorablePage(page)]));
  const stored: PageOutcome[] = [];
  let rest = [...byRef.values()];
  while (rest.length) {
    const known = await lockKnown(db, rest, place.brainId);
    const missing: NewPage[] = [];
    for (const page of rest) {
      const row = known.get(page.sourceRef);
      if (row) stored.push(await change(db, row, page, place));
      else if (!page.isGone) missing.push(page);
    }
    const created = await insertPages(db, missing, place);
    stored.push(...created);
    const refs = new Set(created.map((page) => page.sourceRef));
    rest = missing.filter((page) => !refs.has(page.sourceRef));
  }
  const aligned = stored.filter(({ sourceRef, change: how }) => how !== 'none' || !byRef.get(sourceRef)?.isOnce);
  await alignAttachments(
    db,
    aligned.map((page) => ({ ...page, files: byRef.get(page.sourceRef)?.attachments ?? [] })),
    place,
  );
  return stored;
}

async function lockKnown(db: Db, pages: readonly NewPage[], brainId: string): Promise<Map<string, KnownPage>> {
  const rows = await db
    .selectFrom('pages')
    .select(['id', 'slug', sql<string>`source_ref`.as('source_ref'), 'content_hash', 'version', 'deleted_at'])
    .where('brain_id', '=', brainId)
    .where(
      'source_ref',
      'in',
      pages.map((page) => page.sourceRef),
    )
    .orderBy('source_ref')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.source_ref, row]));
}

async function change(db: Db, row: KnownPage, page: NewPage, { at }: PageScope): Promise<PageOutcome> {
  const stored = { id: row.id, slug: row.slug, sourceRef: page.sourceRef };
  if (page.isOnce) return { ...stored, change: 'none' };
  const isThere = row.deleted_at === null;
  if (page.isGone) {
    if (!isThere) return { ...stored, change: 'none' };
    await db
      .updateTable('pages')
      .set({ deleted_at: at, updated_at: at, has_attached_text: false })
      .where('id', '=', row.id)
      .execute();
    return { ...stored, change: 'removed' };
  }
  const hash = hashPageContent(page);
  if (isThere && hash === row.content_hash) return { ...stored, change: 'none' };
  if (!page.isGrowing) await keepVersion(db, row.id);
  await db
    .updateTable('pages')
    .set({ ...getContentColumns(page), content_hash: hash, version: row.version + 1, updated_at: at, deleted_at: null })
    .where('id', '=', row.id)
    .execute();
  return { ...stored, change: 'changed' };
}

async function keepVersion(db: Db, pageId: string): Promise<void> {
  const columns = ['workspace_id', 'version', 'title', 'body', 'frontmatter'] as const;
  await db
    .insertInto('page_versions')
    .columns(['page_id', ...columns, 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('pages')
        .select(['id', ...columns, 'updated_at'])
        .where('id', '=', pageId),
    )
    .execute();
}

/** Returns the inserted ones, without pages that another transaction inserted meanwhile. */
async function insertPages(db: Db, pages: readonly NewPage[], place: PageScope): Promise<PageOutcome[]> {
  if (!pages.length) return [];
  const rows = await db
    .insertInto('pages')
    .values(
      pages.map((page) => ({
        ...getContentColumns(page),
        id: place.newId(),
        workspace_id: place.workspaceId,
        brain_id: place.brainId,
        slug: page.slug ?? buildPageSlug(page),
        source_ref: page.sourceRef,
        content_hash: hashPageContent(page),
        version: 1,
        created_at: place.at,
        updated_at: place.at,
        deleted_at: null,
        has_attached_text: false,
      })),
    )
    .onConflict((conflict) => conflict.columns(['brain_id', 'source_ref']).doNothing())
    .returning(['id', 'slug', sql<string>`source_ref`.as('sourceRef')])
    .execute();
  return rows.map((row) => ({ ...row, change: 'created' }));
}

function getContentColumns({ type, title, body, frontmatter, author = null, source, occurredAt }: NewPage) {
  return {
    type,
    title,
    body,
    frontmatter: toJsonb(frontmatter),
    author,
    source,
    occurred_at: occurredAt,
  };
}

function toJsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}

function compareByRef(one: NewPage, other: NewPage): number {
  return one.sourceRef < other.sourceRef ? -1 : 1;
}
