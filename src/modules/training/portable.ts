// Imported pairs that move with their document.
import { archived } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import { z } from 'zod';
import { storedMessage } from './pair.ts';

const { id, time, count, text } = archived;

export const portablePairs = [
  definePortableTable({
    kind: 'training_pair',
    table: 'training_pairs',
    scope: 'memory:read',
    writeScope: 'memory:write',
    key: { document_id: 'uuid', position: 'integer' },
    ids: ['document_id'],
    only: 'exists (select from searchable_documents as document where document.id = item.document_id and is_live)',
    row: z.strictObject({
      document_id: id,
      position: count,
      prompt: z.array(storedMessage).max(200),
      answer: text(100_000),
      rejected: text(100_000).nullable(),
      created_at: time,
    }),
  }),
];
