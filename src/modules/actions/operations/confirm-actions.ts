import type { AfterCommitContext } from '#kernel/context';
import { AppError, toPublicError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { createApprovalRequiredError } from '../deciding/approval-required.ts';
import { decideToSend } from '../deciding/decide.ts';
import { eachDraftId } from '../ids.ts';
import { lookAgain, awaitOutcome, outcomeOutput } from '../sending/outcome.ts';
import { contentHash } from '../deciding/seen.ts';
import type { GateDeps } from '../gate-deps.ts';

type Result = z.input<typeof outcomeOutput>;

export function confirmActions(deps: GateDeps) {
  async function confirmOne(ctx: AfterCommitContext, draft_id: string, seen: string | undefined): Promise<Result> {
    let isOurs: boolean;
    try {
      isOurs = await ctx.transact((inner) => decideToSend(inner, deps, draft_id, { seen, isInBatch: true }));
    } catch (error) {
      const { code, message } = toPublicError(error, ctx.requestId);
      // The decision may be stored although its answer was lost.
      const isKnown = code !== 'unavailable' && code !== 'internal';
      return {
        draft_id,
        status: isKnown ? 'failed' : 'ambiguous',
        error: isKnown ? message : `${message} ${lookAgain}`,
      };
    }
    return awaitOutcome(ctx, deps, draft_id, isOurs);
  }

  return defineOperation({
    name: 'confirm_actions',
    summary: 'Send up to 50 drafts in the given order. A failure does not stop the next ones.',
    toolset: 'actions',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_ids }) => createApprovalRequiredError(ctx, deps, draft_ids),
    },
    rest: [{ method: 'POST', path: '/v1/actions/confirm' }],
    input: z.strictObject({
      draft_ids: z.array(eachDraftId).min(1).max(50),
      content_hashes: z
        .array(contentHash.nullable())
        .max(50)
        .optional()
        .describe('`content_hash` of each shown draft, in the order of draft_ids; null: without edits.'),
    }),
    output: z.object({ results: z.array(outcomeOutput) }),
    errors: ['not_found', 'approval_required', 'invalid_input'],
    examples: [{ title: 'A whole batch', input: { draft_ids: [createExampleId('draft')] } }],
    async run(_ctx, { draft_ids, content_hashes: seen }) {
      if (seen && seen.length !== draft_ids.length)
        throw new AppError('invalid_input', 'content_hashes: give one for each of draft_ids, in the same order.');
      return null;
    },
    async afterCommit(ctx, _nothing, { draft_ids, content_hashes: seen }) {
      const results: Result[] = [];
      for (const [done, id] of draft_ids.entries()) {
        ctx.progress(done, draft_ids.length, `Approving draft ${done + 1} of ${draft_ids.length}`);
        results.push(await confirmOne(ctx, id, seen?.[done] ?? undefined));
      }
      return { results };
    },
  });
}
