import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { listBoards as list } from '../store/boards.ts';

export function listBoards({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_boards',
    summary: 'List boards with their numbers of rows.',
    toolset: 'boards',
    effect: 'read',
    access: { scope: 'boards:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/boards' }],
    input: z.strictObject({
      brain_id: brainId.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    output: z.object({
      boards: z.array(
        z.object({
          board_id: z.uuid(),
          name: z.string(),
          description: z.string(),
          brain_id: z.uuid(),
          rows: z.number(),
          updated_at: z.iso.datetime(),
          url: uri(),
        }),
      ),
      total: z.number(),
    }),
    errors: ['not_found'],
    examples: [{ title: 'All of them', input: {} }],
    async run(ctx, { brain_id, ...page }) {
      const { rows, total } = await list(ctx.db, await listReadableBrainIds(ctx, brain_id), page);
      const boards = rows.map(({ id, name, description, brain_id: of, row_count, updated_at }) => ({
        board_id: id,
        name,
        description,
        brain_id: of,
        rows: Number(row_count ?? 0),
        updated_at: updated_at.toISOString(),
        url: `${publicUrl}/boards/${id}`,
      }));
      return { boards, total };
    },
  });
}
