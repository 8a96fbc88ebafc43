import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { moveMemory } from '#modules/memory';
import { z } from 'zod';
import { reviewId } from '../ids.ts';
import { listLessonStems } from '../router.ts';
import { decideReview, insertLesson, lockReview } from '../store/reviews.ts';

export const resolveRoutingReview = defineOperation({
  name: 'resolve_routing_review',
  summary:
    'Decide where an ingested item belongs: it is moved there or stays, and the router learns from the decision.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'memory:write', brain: { role: 'editor', of: ['review_id', 'brain_id'] }, isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/routing/reviews/{review_id}' }],
  input: z.strictObject({ review_id: reviewId, brain_id: brainId.describe('The brain where it belongs.') }),
  output: z.object({
    review_id: z.uuid(),
    memory_id: z.uuid(),
    brain_id: z.uuid(),
    outcome: z.enum(['kept', 'moved']),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'It belongs elsewhere',
      input: { review_id: createExampleId('routing_review'), brain_id: createExampleId('brain') },
    },
  ],
  async run(ctx, { review_id, brain_id }) {
    const review = await lockReview(ctx.db, review_id);
    if (review.decided_at)
      throw new AppError('conflict', 'This was already decided. Use move_memory to move it again.');
    const outcome = review.brain_id === brain_id ? 'kept' : 'moved';
    if (outcome === 'moved') await moveMemory(ctx, review.memory_id, brain_id);
    await decideReview(ctx.db, review_id, { by: ctx.caller.personId, at: ctx.now, outcome });
    const { sender, channel } = review;
    const lesson = { id: ctx.newId(), workspace_id: ctx.caller.workspaceId, brain_id, sender, channel };
    await insertLesson(ctx.db, { ...lesson, stems: listLessonStems(review.content), created_at: ctx.now });
    return { review_id, memory_id: review.memory_id, brain_id, outcome: outcome as 'kept' | 'moved' };
  },
});
