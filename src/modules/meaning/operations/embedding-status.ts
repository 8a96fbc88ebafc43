import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { countProgress, findRun } from '../store.ts';

/** `model`: the model in the settings; null without an embedder. */
export function createEmbeddingStatus(model: string | null) {
  return defineOperation({
    name: 'embedding_status',
    summary: 'Show whether search uses embeddings, and how many texts are embedded.',
    toolset: 'brains',
    effect: 'read',
    access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id', whenAbsent: 'allow' } },
    rest: [{ method: 'GET', path: '/v1/embeddings/status' }],
    input: z.strictObject({ brain_id: brainId.optional().describe('Count only this brain.') }),
    output: z.object({
      is_on: z.boolean().describe('Whether an embedder is configured.'),
      model: z.string().nullable(),
      dimensions: z.number().int().nullable().describe('Length of its vectors; null until the first answer.'),
      total: z.number().int().describe('Memories, pages and constellations of documents that can be searched.'),
      embedded: z.number().int(),
      pending: z.number().int(),
      failed: z.number().int().describe('Texts that the embedder refused. They are retried with growing pauses.'),
      last_error: z
        .object({ message: z.string(), at: z.iso.datetime() })
        .nullable()
        .describe('Why embedding is paused; null if it is not.'),
    }),
    errors: ['not_found'],
    examples: [{ title: 'After the model was changed', input: {} }],
    async run(ctx, { brain_id }) {
      const brainIds = await listReadableBrainIds(ctx, brain_id);
      const kept = await findRun(ctx.db);
      const run = model !== null && kept?.space.startsWith(`${model}/`) ? kept : null;
      const { total, embedded, queued, failed } = await countProgress(ctx.db, brainIds, run?.space ?? null);
      const left = run?.has_looked ? queued : total - embedded - failed;
      const { last_error: message = null, last_error_at: at = null } = run ?? {};
      return {
        is_on: model !== null,
        model,
        dimensions: run && (Number(run.space.slice(run.space.lastIndexOf('/') + 1)) || null),
        total,
        embedded,
        pending: model === null ? 0 : Math.max(0, left),
        failed: model === null ? 0 : failed,
        last_error: message !== null && at ? { message, at: at.toISOString() } : null,
      };
    },
  });
}
