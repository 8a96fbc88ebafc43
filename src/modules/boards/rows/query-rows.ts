// Finds rows of a dataset by their fields, and counts them in groups.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { parseConditions, where } from '#modules/pages';
import { z } from 'zod';
import { countFilteredRows, groupRows, selectRows, type RowFilter, type RowPosition } from '../store/row-queries.ts';
import { presentRow } from './row-id.ts';

const field = z.string().min(1).max(100);
const fields = z.array(field).max(10).default([]);

/** The most groups of one answer. */
const mostGroups = 1_000;

export const rowQuery = {
  where: where
    .optional()
    .describe('As in `query`: field and value, or {gt, lt, contains, in}; null: no such field. All must hold.'),
  sort: z
    .array(z.strictObject({ field, order: z.enum(['asc', 'desc']).default('asc') }))
    .max(3)
    .default([])
    .describe('Numbers by size, texts by letters, rows without a value last. Without it: oldest first.'),
  aggregate: z
    .strictObject({ by: z.array(field).max(3).default([]), sum: fields, avg: fields, min: fields, max: fields })
    .optional()
    .describe(`Figures of all rows that fit, for each value of the fields in \`by\`; at most ${mostGroups} groups.`),
  limit: z.number().int().min(1).max(1_000).default(100),
  cursor: z
    .string()
    .max(8_000)
    .optional()
    .describe('`next_cursor` of the previous page. Leave it out for the first page.'),
};

export const rowGroup = z.object({
  by: z.record(z.string(), z.unknown()),
  count: z.number(),
  ...Object.fromEntries(
    ['sum', 'avg', 'min', 'max'].map((name) => [name, z.record(z.string(), z.unknown()).optional()]),
  ),
});

const rowQueryInput = z.object(rowQuery);
export type RowQuery = z.output<typeof rowQueryInput> & { dataset: string };

/** A page of rows that fit, with how many fit. Groups are of all of them, and come with the first page. */
export async function queryRows(ctx: Context, boardId: string, query: RowQuery) {
  const { dataset, where: wanted = {}, sort, aggregate, limit, cursor } = query;
  const after = cursor === undefined ? null : parsePosition(cursor, sort.length);
  const filter: RowFilter = { boardId, dataset, conditions: parseConditions(wanted) };
  // One more than requested shows whether another page follows.
  const found = await selectRows(ctx.db, filter, { sort, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map(presentRow),
    versions: page.map(({ version }) => version),
    ...(aggregate && !after && { groups: await groupRows(ctx.db, filter, aggregate, mostGroups) }),
    total: await countFilteredRows(ctx.db, filter),
    next_cursor: last ? formatPosition({ id: last.id, values: last.sort_values }) : null,
  };
}

const position = z.tuple([z.uuid(), z.array(z.union([z.string().max(400), z.number(), z.boolean(), z.null()])).max(3)]);

function formatPosition({ id, values }: RowPosition): string {
  return Buffer.from(JSON.stringify([id, values])).toString('base64url');
}

function parsePosition(cursor: string, keys: number): RowPosition {
  const { data } = position.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (data?.[1].length === keys) return { id: data[0], values: data[1] };
  throw new AppError('invalid_input', 'cursor: not from this query. Use next_cursor of its previous answer.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
