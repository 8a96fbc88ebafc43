import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { ConstellationRow, ShownDocument } from './store.ts';

/** A document as operations return it. */
export const documentOutput = z.object({
  id: z.uuid(),
  brain_id: z.uuid(),
  title: z.string(),
  filename: z.string().nullable(),
  mime_type: z.string(),
  format: z.string(),
  size: z.number().int().describe('Bytes of the original.'),
  characters: z.number().int(),
  lines: z.number().int(),
  pages: z.number().int().nullable(),
  reference_count: z.number().int().describe('How often somebody stored what they learned from it.'),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  replaced_by: z.uuid().nullable().describe('The document that replaced it. Search and lists leave this one out.'),
  url: uri().describe('The original file.'),
});

const lineRange = z.object({ start: z.number().int(), end: z.number().int() });

export const constellationOutput = z.object({
  id: z.uuid(),
  label: z.string(),
  topics: z.array(z.string()),
  line_ranges: z.array(lineRange),
});

export function presentDocument(row: ShownDocument, publicUrl: string): z.input<typeof documentOutput> {
  const { passages: _passages, weight: _weight, created_at, size, ...rest } = row;
  return {
    ...rest,
    size: Number(size),
    created_at: created_at.toISOString(),
    url: `${publicUrl}/v1/documents/${row.id}/content`,
  };
}

export function presentConstellation({ id, label, topics, line_ranges }: ConstellationRow) {
  return { id, label, topics, line_ranges };
}
