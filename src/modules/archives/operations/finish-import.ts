import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { importId } from '../ids.ts';
import { checkImport, storeImport, type ImportDeps } from '../store-import.ts';

/** Stores everything that an import received, or nothing. */
export function finishImport(storing: ImportDeps) {
  return defineOperation({
    name: 'finish_import',
    summary: 'Store an archive after all its lines were sent: completely, or not at all if something does not fit.',
    toolset: 'brains',
    effect: 'write',
    access: { scope: 'brains:move', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/imports/{import_id}/finish' }],
    input: z.strictObject({ import_id: importId }),
    output: z.object({
      brain_ids: z.array(z.uuid()).describe('The brains, in the order of the archive.'),
      stored: z.record(z.string(), z.number().int()).describe('How many of each kind were stored.'),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input', 'conflict', 'plan_limit', 'unavailable'],
    examples: [{ title: 'Store it', input: { import_id: createExampleId('sent_import') } }],
    maxAtOnce: 1,
    run: (ctx, { import_id }) => checkImport(ctx, storing, import_id),
    async afterCommit(ctx, _checked, { import_id }) {
      for (const { putOutside } of storing.portable) await putOutside?.(ctx, import_id);
      return ctx.transact((within) => storeImport(within, storing, import_id));
    },
  });
}
