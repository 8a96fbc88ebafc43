// The pages of a brain, to be counted and exported.
import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** A version and the slug of its page. */
const versionCursor = /^(\d{1,9}) (.+)$/s;

/** Pages in their present version, including deleted ones. */
export const pageContents: BrainContents = {
  name: 'pages',
  scope: 'pages:read',
  cursor: /./,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('pages')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ slug: string }>`
      select * from pages where brain_id = ${brainId} and slug > ${after ?? ''} order by slug limit ${limit}
    `.execute(db);
    return {
      lines: rows.map((row) => exportLine('page', row, ['changed_xact', 'content_hash', 'days', 'ends_at'])),
      next: rows.at(-1)?.slug ?? null,
    };
  },
};

/** The former versions of pages. */
export const pageVersionContents: BrainContents = {
  name: 'page_versions',
  scope: 'pages:read',
  cursor: versionCursor,
  async count(db, brainIds) {
    const { rows } = await sql<{ brain_id: string; count: number }>`
      select brain_id, count(*) as count from page_versions join pages on pages.id = page_id
       where brain_id = any(${brainIds}::uuid[]) group by brain_id
    `.execute(db);
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const [, version = '0', slug = ''] = versionCursor.exec(after ?? '') ?? [];
    const { rows } = await sql<{ slug: string; version: number }>`
      select pages.slug, earlier.* from page_versions earlier join pages on pages.id = page_id
       where brain_id = ${brainId} and (slug, earlier.version) > (${slug}, ${Number(version)}::integer)
       order by slug, earlier.version limit ${limit}
    `.execute(db);
    const last = rows.at(-1);
    return {
      lines: rows.map((row) => exportLine('page_version', row)),
      next: last ? `${last.version} ${last.slug}` : null,
    };
  },
};

/** Attachments with their words; their bytes are fetched one by one. */
export const attachmentContents: BrainContents = {
  name: 'attachments',
  scope: 'pages:read',
  cursor: idCursor,
  async count(db, brainIds) {
    const { rows } = await sql<{ brain_id: string; count: number }>`
      select brain_id, count(*) as count from attachments join pages on pages.id = page_id
       where brain_id = any(${brainIds}::uuid[]) group by brain_id
    `.execute(db);
    return new Map(rows.map((row) => [row.brain_id, row.count]));
  },
  async exportBatch(db, brainId, { after, limit }) {
    const { rows } = await sql<{ id: string }>`
      select attachments.*, encode(sha256, 'hex') as sha256 from attachments join pages on pages.id = page_id
       where brain_id = ${brainId} and attachments.id > ${after ?? '00000000-0000-0000-0000-000000000000'}
       order by attachments.id limit ${limit}
    `.execute(db);
    return {
      lines: rows.map((row) => exportLine('attachment', row, ['handle', 'attempts'])),
      next: rows.at(-1)?.id ?? null,
    };
  },
};
