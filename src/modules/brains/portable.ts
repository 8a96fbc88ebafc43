// The tables of this module that move with a brain. Members and invitations do not: an archive contains knowledge,
// never access rights.
import { archived } from '#kernel/portable';
import { z } from 'zod';
import { definePortableTable } from './portable-table.ts';
import { visibilities } from './store/core-knowledge.ts';

const { id, time, count, text, label } = archived;

export const portableCoreKnowledge = definePortableTable({
  kind: 'core_knowledge',
  table: 'core_knowledge',
  scope: 'brains:read',
  writeScope: 'knowledge:write',
  key: { id: 'uuid' },
  ids: ['id'],
  person: ['added_by'],
  row: z.strictObject({
    id,
    section: text(120).min(1),
    content: text(8_000).min(1),
    visibility: z.enum(visibilities),
    version: count.min(1),
    added_by_label: label,
    created_at: time,
    deactivated_at: time.nullable(),
    deactivated_by_label: label.nullable(),
  }),
});
