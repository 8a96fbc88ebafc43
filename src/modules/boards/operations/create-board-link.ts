import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { boardId, personToRead } from '../ids.ts';
import { createLink, type LinkDeps } from '../links/create-link.ts';
import { linkOutput, presentLink } from '../links/present-link.ts';

export function createBoardLink(deps: LinkDeps) {
  return defineOperation({
    name: 'create_board_link',
    summary: 'Point a board at a service, so that dataset recipes fill it with its rows. Nothing is read yet.',
    toolset: 'boards',
    effect: 'write',
    access: {
      scope: 'boards:write',
      brain: { role: 'editor', of: 'board_id' },
      also: [{ scope: 'syncs:write', when: (_ctx, { integration_provider }) => integration_provider !== undefined }],
    },
    rest: [{ method: 'POST', path: '/v1/boards/{board_id}/links' }],
    input: z.strictObject({
      board_id: boardId,
      kind: z.string().trim().min(1).max(100).describe('The adapter: github, monday, ics or http_json.'),
      ref: z
        .record(z.string().max(100), z.unknown())
        .describe('github: {owner, repo}. monday: {board_id}, or {}. ics, http_json: {url}.'),
      display_name: z.string().trim().min(1).max(200),
      integration_provider: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .optional()
        .describe('Reads through your linked account of this provider, such as github; without it as anybody may.'),
      integration_user_id: personToRead
        .optional()
        .describe('Whose account; default: yours. That of somebody else needs an admin, and they are notified.'),
    }),
    output: linkOutput,
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'The pull requests of a repository',
        input: {
          board_id: createExampleId('board'),
          kind: 'github',
          ref: { owner: 'ssvlabs', repo: 'brains' },
          display_name: 'brains repo PRs',
        },
      },
    ],
    async run(ctx, input) {
      return presentLink(await createLink(ctx, deps, input), [], ctx.now);
    },
  });
}
