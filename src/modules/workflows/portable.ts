// Exports and imports workflows. They arrive paused, without team and automations; a KPI of a board arrives without its query.
import { archived, type Portable } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import { z } from 'zod';
import { limits } from './limits.ts';

const { id, time, text, label, count } = archived;

const kpi = z.strictObject({
  name: text(100).min(1),
  target: z.number().nullable(),
  unit: text(40),
  value: z.number().nullable(),
  measured_at: time.nullable(),
  query: z.null(),
});

const table = definePortableTable({
  kind: 'workflow',
  table: 'workflows',
  scope: 'workflows:read',
  writeScope: 'workflows:write',
  key: { id: 'uuid' },
  ids: ['id'],
  person: ['person_id'],
  fixed: { state: `case when item.closed_at is null then 'paused' else 'closed' end`, roster: `'[]'::jsonb` },
  row: z.strictObject({
    id,
    title: text(200).min(1),
    charter: text(limits.charterCharacters).min(1),
    kpis: z.array(kpi).max(limits.kpis),
    deadlines: z
      .array(z.strictObject({ name: text(100).min(1), due: z.union([z.iso.date(), time]), is_done: z.boolean() }))
      .max(limits.deadlines),
    version: count.min(1),
    closed_at: time.nullable(),
    created_by: label,
    created_at: time,
    updated_at: time,
  }),
});

/** A query names a board by an id of this server. */
export const portableWorkflows: Portable = {
  ...table,
  async exportBatch(db, from, page) {
    const { rows, ...rest } = await table.exportBatch(db, from, page);
    const alone = rows.map((row) => ({
      ...row,
      kpis: (row['kpis'] as object[]).map((each) => ({ ...each, query: null })),
    }));
    return { rows: alone, ...rest };
  },
};
