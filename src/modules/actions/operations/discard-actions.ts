import { toPublicError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { decideToDiscard } from '../deciding/decide.ts';
import { eachDraftId } from '../ids.ts';

export const discardActions = defineOperation({
  name: 'discard_actions',
  summary: 'Decline up to 100 drafts. Nothing is sent.',
  toolset: 'actions',
  effect: 'write',
  access: { scope: 'actions:draft' },
  rest: [{ method: 'POST', path: '/v1/actions/discard' }],
  input: z.strictObject({ draft_ids: z.array(eachDraftId).min(1).max(100) }),
  output: z.object({
    results: z.array(
      z.object({
        draft_id: z.uuid(),
        status: z.enum(['discarded', 'expired', 'failed']),
        error: z.string().optional(),
      }),
    ),
  }),
  errors: ['not_found'],
  examples: [{ title: 'A whole batch', input: { draft_ids: [createExampleId('draft')] } }],
  run: async () => null,
  async afterCommit(ctx, _nothing, { draft_ids }) {
    const results: { draft_id: string; status: 'discarded' | 'expired' | 'failed'; error?: string }[] = [];
    for (const draft_id of draft_ids) {
      try {
        results.push({ draft_id, status: await ctx.transact((inner) => decideToDiscard(inner, draft_id)) });
      } catch (error) {
        results.push({ draft_id, status: 'failed', error: toPublicError(error, ctx.requestId).message });
      }
    }
    return { results };
  },
});
