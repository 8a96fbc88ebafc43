import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { answers, lockAnswerable, sendAgain, takeAnswer, type AnsweredDraft } from '../deciding/answer.ts';
import { createApprovalRequiredError, toAnswer } from '../deciding/approval-required.ts';
import { draftId } from '../ids.ts';
import type { GateDeps } from '../gate-deps.ts';
import { deletePrepared } from '../sending/store-outcome.ts';

export function answerAction(deps: GateDeps) {
  return defineOperation({
    name: 'answer_action',
    summary: 'Answer whether a draft was sent, when the provider cannot say. Only a person who checked may answer.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_id }) => createApprovalRequiredError(ctx, deps, [draft_id], toAnswer),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/answer' }],
    input: z.strictObject({
      draft_id: draftId,
      answer: z.enum(answers).describe('send_again makes a new draft, which needs its own approval.'),
    }),
    output: z.object({
      draft_id: z.uuid(),
      status: z.enum(['confirmed', 'failed']),
      again: z.object({ draft_id: z.uuid(), approval_url: uri() }).nullable().describe('The new draft of send_again.'),
    }),
    errors: ['not_found', 'conflict', 'approval_required', 'forbidden'],
    examples: [{ title: 'It is in the outbox', input: { draft_id: createExampleId('draft'), answer: 'it_happened' } }],
    async run(ctx, { draft_id, answer }): Promise<AnsweredDraft & { isTaken: boolean }> {
      if (answer !== 'send_again') return { ...(await takeAnswer(ctx, deps, draft_id, answer)), isTaken: true };
      const { draft } = await lockAnswerable(ctx, deps, draft_id);
      return { draft, again: null, isTaken: false };
    },
    async afterCommit(ctx, answered, { answer }) {
      const { draft, again } = answered.isTaken ? answered : await sendAgain(ctx, deps, answered.draft);
      if (answer !== 'it_happened') await deletePrepared(deps, draft);
      return {
        draft_id: draft.id,
        status: answer === 'it_happened' ? ('confirmed' as const) : ('failed' as const),
        again: again && { draft_id: again.id, approval_url: `${deps.publicUrl}/inbox/${again.id}` },
      };
    },
  });
}
