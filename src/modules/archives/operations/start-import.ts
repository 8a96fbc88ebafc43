import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { findSameImport, insertImport } from '../store.ts';

const input = z.strictObject({
  sha256: z
    .string()
    .max(64)
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .describe('SHA-256 of the file, in hexadecimal digits. The same file continues where it stopped.'),
  lines: z.number().int().min(2).max(100_000_000).describe('How many lines the file has.'),
  parent_brain_id: brainId.optional().describe('Put the highest brains of the archive below this brain.'),
  into_brain_id: brainId.optional().describe('Add the contents of an archive with one brain to this brain.'),
});

/** Starts an import, or finds the one that was interrupted. */
export function startImport({ newShift }: { newShift: () => number }) {
  return defineOperation({
    name: 'start_import',
    summary: 'Start or continue an import of an archive of brains. Send its lines with `add_import_lines`.',
    toolset: 'brains',
    effect: 'write',
    access: {
      scope: 'brains:move',
      brain: { role: 'admin', of: ['parent_brain_id', 'into_brain_id'], whenAbsent: 'allow' },
      isForPeople: true,
    },
    rest: [{ method: 'POST', path: '/v1/imports' }],
    input,
    output: z.object({
      import_id: z.uuid(),
      next_line: z.number().int().describe('The line to send first, counted from 1.'),
      is_stored: z
        .boolean()
        .describe('True: you already imported this file to this place. There is nothing left to do.'),
      brain_ids: z.array(z.uuid()),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input'],
    examples: [{ title: 'A file of 1,200 lines', input: { sha256: 'a3'.repeat(32), lines: 1_200 } }],
    async run(ctx, { sha256, lines, parent_brain_id = null, into_brain_id = null }) {
      if (parent_brain_id && into_brain_id)
        throw new AppError('invalid_input', 'Give parent_brain_id or into_brain_id, not both.');
      const { personId, workspaceId } = ctx.caller;
      const same = { person_id: personId, sha256, lines, parent_brain_id, into_brain_id };
      const known = await findSameImport(ctx.db, same);
      if (known) {
        const { id, received, stored_at, brain_ids } = known;
        return { import_id: id, next_line: received + 1, is_stored: stored_at !== null, brain_ids };
      }
      const id = ctx.newId();
      await insertImport(ctx.db, { id, workspace_id: workspaceId, ...same, shift: newShift(), created_at: ctx.now });
      return { import_id: id, next_line: 1, is_stored: false, brain_ids: [] };
    },
  });
}
