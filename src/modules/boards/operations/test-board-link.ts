import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { adapterOp, adapterParams } from '../dataset-fields.ts';
import { boardLinkId } from '../ids.ts';
import { chooseOperation, type ChosenOperation } from '../links/adapters.ts';
import type { LinkReaders } from '../links/link-readers.ts';
import { createCallerJudge, judgeLink, readLinkRows, type LinkAccess } from '../links/read-link.ts';
import { findLink } from '../store/links.ts';
import type { BoardLinkRow } from '../store/tables.ts';

/** This many rows show whether it is what the caller meant. */
const sampleRows = 5;

type JudgedLink = ChosenOperation & { link: BoardLinkRow; access: LinkAccess };

export function testBoardLink(readers: LinkReaders) {
  return defineOperation({
    name: 'test_board_link',
    summary: 'Read the first rows through a link, to see whether it works. Nothing is stored.',
    toolset: 'boards',
    effect: 'external_read',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'link_id' } },
    rest: [{ method: 'POST', path: '/v1/board-links/{link_id}/test' }],
    input: z.strictObject({
      link_id: boardLinkId,
      adapter_op: adapterOp.optional().describe('Default: the first one of the kind.'),
      params: adapterParams,
    }),
    output: z.object({
      link_id: z.uuid(),
      ok: z.boolean(),
      adapter_op: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())).describe(`The first ${sampleRows}.`),
      message: z.string(),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [{ title: 'Does it work?', input: { link_id: createExampleId('board_link') } }],
    async run(ctx, { link_id, adapter_op, params }): Promise<JudgedLink> {
      const link = await findLink(ctx.db, link_id);
      if (!link) throw createNotFoundError('link');
      const chosen = chooseOperation(link.kind, adapter_op, params);
      return { ...chosen, link, access: await judgeLink(ctx.db, link, createCallerJudge(ctx.caller)) };
    },
    async afterCommit({ caller, now }, { link, access, operation, params }) {
      const shown = { link_id: link.id, adapter_op: operation.name };
      try {
        const reading = { link, access, operation, params, now };
        const rows = await readLinkRows(readers, reading, createCallerJudge(caller), {
          most: sampleRows,
          isSample: true,
        });
        const message = rows.length ? 'It works. These are the first rows.' : 'It works, and the list is empty.';
        return { ...shown, ok: true, rows: rows.map((row) => ({ ...row })), message };
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'forbidden') throw error;
        return { ...shown, ok: false, rows: [], message: error.message };
      }
    },
  });
}
