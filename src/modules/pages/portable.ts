// Pages that move with their brain, with their earlier versions and their files.
import { archived, type Portable } from '#kernel/portable';
import { definePortableTable, type PortableTarget } from '#modules/brains';
import type { Ground } from '#platform';
import { z } from 'zod';
import { frontmatter } from './page-fields.ts';
import { listPortableAttachments } from './portable-attachments.ts';

const { id, time, count, text } = archived;
const scopes = { scope: 'pages:read', writeScope: 'pages:write' } as const;
const longestBody = 400_000;
const words = { title: text(500), body: text(longestBody), frontmatter };

/** References to a page from another table that moves. */
export const pageTarget: PortableTarget = { table: 'pages' };

const pages = definePortableTable({
  kind: 'page',
  table: 'pages',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  row: z.strictObject({
    id,
    slug: text(300).min(1),
    type: text(100).min(1),
    ...words,
    author: text(1_000).nullable(),
    source: text(1_000).nullable(),
    source_ref: text(2_000).nullable(),
    content_hash: text(100),
    version: count.min(1),
    occurred_at: time,
    created_at: time,
    updated_at: time,
    deleted_at: time.nullable(),
  }),
});

const versions = definePortableTable({
  kind: 'page_version',
  table: 'page_versions',
  ...scopes,
  key: { page_id: 'uuid', version: 'integer' },
  ids: ['page_id'],
  partOf: { column: 'page_id', table: 'pages' },
  row: z.strictObject({ page_id: id, version: count, ...words, created_at: time }),
});

export function listPortablePages(ground: Ground): readonly Portable[] {
  return [pages, versions, ...listPortableAttachments(ground)];
}
