import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { boardInput, createBoardIn } from '../create-board.ts';

export function createBoard({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'create_board',
    summary: 'Create a board: a table in a brain that people and automations fill.',
    toolset: 'boards',
    effect: 'write',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'brain_id' } },
    rest: [{ method: 'POST', path: '/v1/boards' }],
    input: boardInput,
    output: z.object({ board_id: z.uuid(), id: z.uuid(), name: z.string(), url: uri() }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'A list of contacts',
        input: { name: 'Contacts', datasets: { default: { columns: [{ name: 'email' }] } } },
      },
    ],
    async run(ctx, input) {
      const { id, name } = await createBoardIn(ctx, input);
      return { board_id: id, id, name, url: `${publicUrl}/boards/${id}` };
    },
  });
}
