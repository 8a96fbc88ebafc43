// Exports and imports boards with all their rows.
import { archived } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import { z } from 'zod';
import { column, row } from './columns.ts';
import { limits } from './limits.ts';

const { id, time, text, label } = archived;
const scopes = { scope: 'boards:read', writeScope: 'boards:write' } as const;
const partOf = { column: 'board_id', table: 'boards' };

const boards = definePortableTable({
  kind: 'board',
  table: 'boards',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  row: z.strictObject({
    id,
    name: text(200).min(1),
    description: text(2_000),
    skills: z.array(text(200)).max(50),
    dashboard: z.record(z.string(), z.unknown()),
    links: z.array(z.unknown()),
    created_by: label,
    created_at: time,
    updated_at: time,
  }),
});

const datasets = definePortableTable({
  kind: 'dataset',
  table: 'board_datasets',
  ...scopes,
  key: { board_id: 'uuid', name: 'text' },
  ids: ['board_id'],
  partOf,
  row: z.strictObject({
    board_id: id,
    name: text(100).min(1),
    columns: z.array(column).max(limits.columns),
    created_at: time,
  }),
});

/** Archives of earlier releases have rows without an id of their own choice and without a version. Deleted rows stay behind. */
const rows = definePortableTable({
  kind: 'board_row',
  table: 'board_rows',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'board_id'],
  partOf,
  row: z.strictObject({
    id,
    board_id: id,
    dataset: text(100).min(1),
    fields: row,
    created_by: label,
    created_at: time,
    row_key: text(limits.rowIdCharacters).min(1).nullable().default(null),
    version: archived.count.min(1).default(1),
    updated_at: time.nullable().default(null),
  }),
  only: 'item.deleted_at is null',
});

export const portableBoards = [boards, datasets, rows];
