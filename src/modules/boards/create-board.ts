// Makes a board with its datasets and first rows.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { column, row } from './columns.ts';
import { emitBoardChanged } from './events.ts';
import { limits } from './limits.ts';
import { skills } from './skills/skill.ts';
import { appendRows } from './rows/append-rows.ts';
import { insertBoard } from './store/boards.ts';
import { ensureDataset } from './store/datasets.ts';

export const boardName = z.string().trim().min(1).max(limits.nameCharacters).describe('Unique in its brain.');
export const datasetName = z.string().min(1).max(100);
export const boardDescription = z.string().max(2_000);
export const columns = z.array(column).max(limits.columns);
export const dashboard = z.record(z.string().max(100), z.unknown());

const dataset = z.strictObject({
  columns: columns.default([]),
  rows: z.array(row).max(limits.rowsPerCall).default([]),
});

/** What a new board is made of. */
export const boardInput = z.strictObject({
  name: boardName,
  brain_id: brainId.optional(),
  description: boardDescription.default(''),
  datasets: z.record(datasetName, dataset).optional().describe('By name; default is always there.'),
  skills: skills.default([]),
  dashboard: dashboard.default({}),
});

export type BoardInput = z.output<typeof boardInput>;

/** Stores a board. Throws `conflict` where its brain has one of that name. */
export async function createBoardIn(
  ctx: Context,
  { name, brain_id, description, datasets = {}, skills, dashboard }: z.output<typeof boardInput>,
): Promise<{ id: string; name: string }> {
  const brainId = brain_id ?? ctx.caller.homeBrainId;
  const { workspaceId, label } = ctx.caller;
  if (Object.keys(datasets).length > limits.datasets)
    throw new AppError('invalid_input', `datasets: at most ${limits.datasets}.`);
  const id = ctx.newId();
  const texts = { name, description, skills, dashboard };
  const by = { created_by: label, created_at: ctx.now, updated_at: ctx.now };
  if (!(await insertBoard(ctx.db, { id, workspace_id: workspaceId, brain_id: brainId, ...texts, ...by })))
    throw new AppError('conflict', `This brain has a board called ${name}. Choose another name, or use that one.`);
  for (const [each, { columns }] of Object.entries({ default: { columns: [] }, ...datasets }))
    await ensureDataset(ctx.db, { boardId: id, workspaceId, at: ctx.now }, each, columns);
  for (const [each, { rows }] of Object.entries(datasets))
    if (rows.length) await appendRows(ctx, id, { dataset: each, rows });
  await emitBoardChanged(ctx, { id, brain_id: brainId });
  return { id, name };
}
