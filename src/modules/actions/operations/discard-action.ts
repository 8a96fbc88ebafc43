import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { decideToDiscard } from '../deciding/decide.ts';
import { draftId } from '../ids.ts';

export const discardAction = defineOperation({
  name: 'discard_action',
  summary: 'Decline a draft. Nothing is sent. An agent may decline its own drafts.',
  toolset: 'actions',
  effect: 'write',
  access: { scope: 'actions:draft' },
  rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/discard' }],
  input: z.strictObject({ draft_id: draftId }),
  output: z.object({
    ok: z.literal(true),
    draft_id: z.uuid(),
    status: z.enum(['discarded', 'expired']).describe('expired: the draft had expired before.'),
  }),
  errors: ['not_found', 'conflict', 'forbidden'],
  examples: [{ title: 'The person declined', input: { draft_id: createExampleId('draft') } }],
  async run(ctx, { draft_id }) {
    return { ok: true as const, draft_id, status: await decideToDiscard(ctx, draft_id) };
  },
});
