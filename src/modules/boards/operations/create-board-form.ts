import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { generateSecret, hashSecret } from '#platform/one-time-secrets';
import { z } from 'zod';
import { chooseColumn, column } from '../columns.ts';
import { datasetName } from '../create-board.ts';
import { emitBoardChanged } from '../events.ts';
import { formTypes } from '../forms/form-fields.ts';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';
import { rowIdField } from '../rows/row-id.ts';
import { assertWritable } from '../rows/assert-writable.ts';
import { countOpenForms, insertForm } from '../store/forms.ts';

export function createBoardForm({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'create_board_form',
    summary: 'Create a form with an address of its own, through which anybody who has it adds rows to a board.',
    toolset: 'boards',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'boards:share', brain: { role: 'editor', of: 'board_id' }, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/boards/{board_id}/forms' }],
    input: z.strictObject({
      board_id: boardId,
      dataset: datasetName.default('default'),
      title: z.string().trim().min(1).max(200),
      intro: z.string().trim().max(2_000).default('').describe('A text above the fields.'),
      columns: z
        .array(column.shape.name.refine((name) => name !== rowIdField, 'row_id is not a column'))
        .min(1)
        .max(limits.fieldsPerForm)
        .refine((names) => new Set(names).size === names.length, 'a column is named twice')
        .describe('The columns that a sender fills: text, number, boolean or date.'),
      free_text: z
        .boolean()
        .default(false)
        .describe(
          `Senders write a text, which the language model sorts into the columns, at most ${limits.sortedTextsPerDay} a day, at your cost. They see the fields, and confirm.`,
        ),
    }),
    output: z.object({
      form_id: z.uuid(),
      url: uri().describe('Shown once. Anyone who has it can add rows, and sees nothing of the board.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'A form for guests',
        input: { board_id: createExampleId('board'), title: 'Dinner', columns: ['name', 'guests'] },
      },
    ],
    async run(ctx, { board_id, dataset, title, intro, columns, free_text }) {
      const { board, columns: declared } = await assertWritable(ctx, board_id, dataset);
      for (const name of columns) {
        const { type } = chooseColumn(declared, name, 'The form asks for');
        if (!formTypes.includes(type))
          throw new AppError('invalid_input', `columns: ${name} has the type ${type}, which no form can ask for.`);
      }
      if ((await countOpenForms(ctx.db, board_id)) >= limits.formsPerBoard)
        throw new AppError('plan_limit', `A board has at most ${limits.formsPerBoard} open forms. Close one first.`);
      const id = ctx.newId();
      const token = generateSecret('bf');
      const { workspaceId: workspace_id, personId: person_id, label: created_by } = ctx.caller;
      const by = { workspace_id, person_id, created_by, created_at: ctx.now };
      const shown = { board_id, dataset, title, intro, columns, free_text };
      await insertForm(ctx.db, { id, ...by, ...shown, token_hash: hashSecret(token) });
      await emitBoardChanged(ctx, board);
      return { form_id: id, url: `${publicUrl}/form/${token}` };
    },
  });
}
