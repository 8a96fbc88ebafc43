// Exports and imports boards with all their rows.
import { archived } from '#kernel/portable';
import { definePortableTable } from '#modules/brains';
import { cronSchema } from '#platform/dates';
import { z } from 'zod';
import { column, row } from './columns.ts';
import { boardSkill } from './skills/skill.ts';
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
    skills: z.array(z.union([text(200), boardSkill])).max(50),
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

/** Accounts stay behind: a link that read through one arrives without it, and reads nothing until a person makes it again. */
const links = definePortableTable({
  kind: 'board_link',
  table: 'board_links',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'board_id'],
  partOf,
  person: ['person_id'],
  row: z.strictObject({
    id,
    board_id: id,
    kind: text(100).min(1),
    ref: z.record(z.string().max(100), z.unknown()),
    display_name: text(200).min(1),
    integration_provider: text(100).min(1).nullable(),
    created_by: label,
    created_at: time,
  }),
  only: 'item.ended_at is null',
});

const cron = text(200).refine((given) => cronSchema.safeParse({ cron: given }).success, 'must be a cron expression');

/** What an archive reads starts with a person: a recipe arrives stopped, and goes on when it is refreshed or changed. */
const recipes = definePortableTable({
  kind: 'dataset_recipe',
  table: 'dataset_recipes',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'link_id', 'board_id'],
  partOf,
  fixed: {
    status: `'stopped'`,
    failure: `'It was imported with its board. Refresh it, and it goes on by its schedule.'`,
    failures: '0',
    row_count: '0',
    lease_token: '0',
  },
  row: z.strictObject({
    id,
    link_id: id,
    board_id: id,
    dataset: text(100).min(1),
    adapter_op: text(100).min(1),
    params: z.record(z.string().max(100), z.unknown()),
    refresh_cron: cron.nullable(),
    dedupe_key_field: text(100).min(1).nullable(),
    dedupe_target_field: text(100).min(1).nullable(),
    created_at: time,
  }),
  only: 'exists (select from board_links where id = item.link_id and ended_at is null)',
});

export const portableBoards = [boards, datasets, rows, links, recipes];
