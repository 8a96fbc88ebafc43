// Documents that move with their brain: with what was read, what was learned, and their originals.
import type { Db } from '#kernel/database';
import { archived, type Portable } from '#kernel/portable';
import { definePortableTable, selectArchiveLines } from '#modules/brains';
import { memoryTarget } from '#modules/memory';
import type { Ground } from '#platform';
import { sql } from 'kysely';
import { z } from 'zod';
import { createPortableOriginals, mostBytes, originalKind } from './portable-originals.ts';

const { id, time, count, text, label } = archived;
const scopes = { scope: 'memory:read', writeScope: 'memory:write' } as const;
const partOf = { column: 'document_id', table: 'documents' };
/** For a document that is neither deleted nor replaced. */
const ofCurrent =
  'exists (select from documents where documents.id = item.document_id and deleted_at is null and replaced_by is null)';
const range = z.strictObject({ start: count.min(1), end: count.min(1) });
/** As PostgreSQL writes bytes. */
const hash = z.string().regex(/^\\x[0-9a-f]{64}$/);

const documents = definePortableTable({
  kind: 'document',
  table: 'documents',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  person: ['person_id'],
  only: 'deleted_at is null and replaced_by is null',
  row: z.strictObject({
    id,
    title: text(300).min(1),
    filename: text(300).nullable(),
    mime_type: text(200),
    format: text(40),
    sha256: hash,
    size: z.number().int().min(0).max(mostBytes),
    characters: count,
    lines: count,
    passages: count,
    pages: count.nullable(),
    reference_count: count,
    weight: z.number().min(0).max(1),
    created_by: label,
    created_at: time,
  }),
});

const constellations = definePortableTable({
  kind: 'document_constellation',
  table: 'document_constellations',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'document_id'],
  partOf,
  only: ofCurrent,
  row: z.strictObject({
    id,
    document_id: id,
    position: count,
    label: text(1_000),
    topics: z.array(text(400)).max(400),
    line_ranges: z.array(range).max(100_000),
    passages: count,
  }),
});

const passages = definePortableTable({
  kind: 'document_passage',
  table: 'document_passages',
  ...scopes,
  key: { document_id: 'uuid', position: 'integer' },
  ids: ['document_id', 'constellation_id'],
  partOf,
  only: ofCurrent,
  row: z.strictObject({
    document_id: id,
    position: count,
    constellation_id: id,
    text: text(400_000),
    line_start: count.min(1),
    line_end: count.min(1),
    continues: z.boolean(),
  }),
});

const lessons = definePortableTable({
  kind: 'document_lesson',
  table: 'document_lessons',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'document_id'],
  leadsTo: { memory_id: { ...memoryTarget, isRequired: true } },
  partOf,
  only: ofCurrent,
  row: z.strictObject({
    id,
    document_id: id,
    memory_id: id,
    line_start: count.min(1),
    line_end: count.min(1),
    question: text(10_000),
    answer: text(400_000),
    created_at: time,
  }),
});

/**
 * A hash alone would give access to the original of somebody else's document. So only originals in the archive count.
 */
async function forgetHashesWithoutOriginal(db: Db, importId: string, shift: number): Promise<void> {
  await sql`
    update documents set sha256 = sha256(uuid_send(documents.id))
      from ${selectArchiveLines(importId, 'document')} as line
     where documents.id = shift_id((line.data ->> 'id')::uuid, ${-shift}::bigint)
       and not exists (
         select from ${selectArchiveLines(importId, originalKind)} as original
          where '\\x' || (original.data ->> 'sha256') = line.data ->> 'sha256')`.execute(db);
}

const documentsWithOriginals: Portable = {
  ...documents,
  async store(db, to) {
    const stored = await documents.store(db, to);
    await forgetHashesWithoutOriginal(db, to.importId, to.shift);
    return stored;
  },
};

/** Originals come last: stored ones must still be recorded when everything else is stored. */
export function listPortableDocuments(ground: Ground): readonly Portable[] {
  return [documentsWithOriginals, constellations, passages, lessons, createPortableOriginals(ground)];
}
