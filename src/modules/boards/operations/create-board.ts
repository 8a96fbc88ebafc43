import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { appendRows } from '../append.ts';
import { column, row } from '../columns.ts';
import { boardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { ensureDataset, insertBoard } from '../store.ts';

const dataset = z.strictObject({
  columns: z.array(column).max(limits.columns).default([]),
  rows: z.array(row).max(limits.rowsPerCall).default([]),
});

const input = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('Unique in its brain.'),
  brain_id: brainId.optional(),
  description: z.string().max(2_000).default(''),
  datasets: z.record(z.string().min(1).max(100), dataset).optional().describe('By name; default is always there.'),
  skills: z.array(z.string().max(200)).max(50).default([]),
  dashboard: z.record(z.string().max(100), z.unknown()).default({}),
});

export function createBoard({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'create_board',
    summary: 'Make a board: a table in a brain that people and automations fill.',
    toolset: 'boards',
    effect: 'write',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/boards' }],
    input,
    output: z.object({ board_id: z.uuid(), id: z.uuid(), name: z.string(), url: uri() }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'A list of contacts',
        input: { name: 'Contacts', datasets: { default: { columns: [{ name: 'email' }] } } },
      },
    ],
    async run(ctx, { name, brain_id, description, datasets = {}, skills, dashboard }) {
      const brainId = brain_id ?? ctx.caller.homeBrainId;
      const { workspaceId, label } = ctx.caller;
      if (Object.keys(datasets).length > limits.datasets)
        throw new AppError('invalid_input', `datasets: at most ${limits.datasets}.`);
      const id = ctx.newId();
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const board = {
        id,
        workspace_id: workspaceId,
        brain_id: brainId,
        name,
        description,
        skills,
        dashboard,
        created_by: label,
        ...times,
      };
      if (!(await insertBoard(ctx.db, board)))
        throw new AppError('conflict', `This brain has a board called ${name}. Choose another name, or use that one.`);
      for (const [each, { columns }] of Object.entries({ default: { columns: [] }, ...datasets }))
        await ensureDataset(ctx.db, { boardId: id, workspaceId, at: ctx.now }, each, columns);
      for (const [each, { rows }] of Object.entries(datasets))
        if (rows.length) await appendRows(ctx, id, { dataset: each, rows });
      const change = {
        board_id: id,
        brain_id: brainId,
        dataset: null,
        row_ids: [],
        by_automations: [...(ctx.caller.run?.chain ?? [])],
      };
      await ctx.emit(boardChanged(change, { brainId }));
      return { board_id: id, id, name, url: `${publicUrl}/boards/${id}` };
    },
  });
}
