import type { Context } from '#kernel/context';
import { defineEvent } from '#kernel/event';
import { z } from 'zod';

/**
 * A board was created, changed or deleted. `row_ids` are the rows that were appended, changed, deleted or restored, as `row_id`.
 * `by_automations` as in `page.ingested`.
 */
export const boardChanged = defineEvent(
  'board.changed',
  'boards:read',
  z.object({
    board_id: z.uuid(),
    brain_id: z.uuid(),
    dataset: z.string().nullable(),
    row_ids: z.array(z.string()),
    change_id: z.uuid().describe('Of this change: a row that changes twice has two.'),
    by_automations: z.array(z.uuid()),
  }),
);

type Change = { id: string; brain_id: string; dataset?: string; rowIds?: string[] };

/** Emits that a board changed: which rows, or the board itself. */
export async function emitBoardChanged(ctx: Context, { id, brain_id, dataset, rowIds = [] }: Change): Promise<void> {
  const change = { board_id: id, brain_id, dataset: dataset ?? null, row_ids: rowIds, change_id: ctx.newId() };
  const byAutomations = [...(ctx.caller.run?.chain ?? [])];
  await ctx.emit(boardChanged({ ...change, by_automations: byAutomations }, { brainId: brain_id }));
}
