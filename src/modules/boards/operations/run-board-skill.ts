import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { MeteredLlm } from '#modules/usage';
import { z } from 'zod';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';
import { presentedRow, rowId } from '../rows/row-id.ts';
import { prepareSkill, runSkill, type SkillQuestion } from '../skills/run-skill.ts';

export function runBoardSkill({ llm }: { llm: MeteredLlm | null }) {
  return defineOperation({
    name: 'run_board_skill',
    summary: 'Let the language model fill cells by a skill of a board. All rows are stored at once, or none.',
    toolset: 'boards',
    effect: 'write',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
    rest: [{ method: 'POST', path: '/v1/boards/{board_id}/skills/run' }],
    input: z.strictObject({
      board_id: boardId,
      skill: z.string().trim().min(1).max(200).describe('Its name, from `get_board`.'),
      row_ids: z
        .array(rowId)
        .min(1)
        .max(limits.rowsPerSkill)
        .refine((ids) => new Set(ids).size === ids.length, 'a row is named twice')
        .optional()
        .describe(`Default: the oldest ${limits.rowsPerSkill} rows with an empty cell that the skill fills.`),
      inputs: z.record(z.string().max(100), z.unknown()).optional().describe('What the model gets beside the rows.'),
    }),
    output: z.object({
      skill: z.string(),
      dataset: z.string(),
      rows: z.array(presentedRow.extend({ is_changed: z.boolean() })),
      changed: z.number().int(),
      remaining: z.number().int().describe('Rows with an empty cell that are left for the next call.'),
    }),
    errors: [
      'not_found',
      'forbidden',
      'conflict',
      'invalid_input',
      'plan_limit',
      'payload_too_large',
      'upstream_failed',
      'unavailable',
    ],
    examples: [{ title: 'Sort new leads', input: { board_id: createExampleId('board_with_skill'), skill: 'Sort' } }],
    async run(ctx, { board_id, ...input }): Promise<SkillQuestion> {
      if (!llm)
        throw new AppError('unavailable', 'No language model is set on this server. Its operator sets THALAMUS_LLM_*.');
      return prepareSkill(ctx, board_id, input);
    },
    async afterCommit(ctx, question, { board_id }) {
      if (!llm) throw new Error('a question needs a model');
      return runSkill(ctx, llm, board_id, question);
    },
  });
}
