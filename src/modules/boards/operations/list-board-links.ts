import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { boardId } from '../ids.ts';
import { linkOutput, presentLinks } from '../links/present-link.ts';
import { listBoardLinks, listLinksThroughPerson } from '../store/links.ts';

export const listBoardLinksOperation = defineOperation({
  name: 'list_board_links',
  summary: 'List the links of a board to services; without a board, those that read through your accounts.',
  toolset: 'boards',
  effect: 'read',
  access: { scope: 'boards:read', brain: { role: 'viewer', of: 'board_id', whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/board-links' }],
  input: z.strictObject({ board_id: boardId.optional() }),
  output: z.object({ links: z.array(linkOutput) }),
  errors: ['not_found', 'invalid_input'],
  examples: [{ title: 'Of one board', input: { board_id: createExampleId('board') } }],
  async run(ctx, { board_id }) {
    if (!board_id && ctx.caller.reach !== 'owner')
      throw new AppError('invalid_input', 'board_id: a key of one brain names the board whose links it lists.');
    const links = board_id
      ? await listBoardLinks(ctx.db, board_id)
      : await listLinksThroughPerson(ctx.db, ctx.caller.personId);
    return { links: await presentLinks(ctx, links) };
  },
});
