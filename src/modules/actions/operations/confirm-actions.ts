import type { SettleContext } from '#kernel/context';
import { publicError } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { approvalRequired } from '../approval.ts';
import { decideToSend, type Deciding } from '../decide.ts';
import { eachDraftId } from '../ids.ts';
import { outcomeOf, outcomeOutput } from '../outcome.ts';
import type { Sending } from '../sending.ts';

type Result = z.input<typeof outcomeOutput>;

export function confirmActions(options: { deciding: Deciding; sending: Sending; publicUrl: string }) {
  const { deciding, sending, publicUrl } = options;

  async function confirmOne(ctx: SettleContext, draft_id: string): Promise<Result> {
    let isOurs: boolean;
    try {
      isOurs = await ctx.transact((inner) => decideToSend(inner, deciding, draft_id, undefined));
    } catch (error) {
      return { draft_id, status: 'failed', error: publicError(error, ctx.requestId).message };
    }
    return outcomeOf(ctx, sending, draft_id, isOurs);
  }

  return defineOperation({
    name: 'confirm_actions',
    summary: 'Send up to 50 drafts in the given order; one that fails does not stop those after it.',
    toolset: 'actions',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_ids }) => approvalRequired(ctx, deciding.registry, draft_ids, publicUrl),
    },
    rest: [{ method: 'POST', path: '/v1/actions/confirm' }],
    input: z.strictObject({ draft_ids: z.array(eachDraftId).min(1).max(50) }),
    output: z.object({ results: z.array(outcomeOutput) }),
    errors: ['not_found', 'approval_required'],
    examples: [{ title: 'A whole batch', input: { draft_ids: [exampleId('draft')] } }],
    run: async () => null,
    async settle(ctx, _nothing, { draft_ids }) {
      const results: Result[] = [];
      for (const [done, id] of draft_ids.entries()) {
        ctx.progress(done, draft_ids.length, `Sending ${done + 1} of ${draft_ids.length}`);
        results.push(await confirmOne(ctx, id));
      }
      return { results };
    },
  });
}
