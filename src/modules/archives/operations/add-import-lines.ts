import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Portable } from '#kernel/portable';
import { addArchiveLines } from '#modules/brains';
import { z } from 'zod';
import { importId } from '../ids.ts';
import { readLines } from '../read-lines.ts';
import { lockImport, setReceived } from '../store.ts';

const input = z.strictObject({
  import_id: importId,
  first_line: z.number().int().min(1).describe('The number of the first of these lines: `next_line`.'),
  lines: z.string().min(2).max(4_000_000).describe('Complete lines of the file, unchanged.'),
});

/** Receives lines of an archive; none of them is in a brain before all have arrived. */
export function addImportLines(portable: readonly Portable[]) {
  return defineOperation({
    name: 'add_import_lines',
    summary: 'Send the next lines of an archive. They are checked and kept; `finish_import` stores them.',
    toolset: 'brains',
    effect: 'write',
    access: { scope: 'brains:move', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/imports/{import_id}/lines' }],
    input,
    output: z.object({ next_line: z.number().int() }),
    errors: ['not_found', 'forbidden', 'invalid_input', 'conflict', 'payload_too_large'],
    examples: [
      {
        title: 'The header',
        input: {
          import_id: createExampleId('import'),
          first_line: 1,
          lines: '{"format":"thalamus-archive","version":1}\n',
        },
      },
    ],
    maxBodyBytes: 12_000_000,
    maxAtOnce: 2,
    async run(ctx, { import_id, first_line, lines }) {
      const known = await lockImport(ctx.db, import_id);
      if (known.stored_at)
        throw new AppError('conflict', 'This import is already stored. There is nothing left to send.');
      if (first_line !== known.received + 1)
        throw new AppError('conflict', `The next line is ${known.received + 1}. Send from there.`, {
          next_line: known.received + 1,
        });
      const { rows, count } = readLines(lines, { first: first_line, last: known.lines }, portable);
      const received = known.received + count;
      if (received > known.lines)
        throw new AppError('invalid_input', `The file was declared with ${known.lines} lines, and there are more.`);
      await addArchiveLines(ctx.db, { importId: known.id, workspaceId: known.workspace_id }, rows);
      await setReceived(ctx.db, known.id, received);
      return { next_line: received + 1 };
    },
  });
}
