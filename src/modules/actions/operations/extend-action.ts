import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { loadViewer } from '../approvers/draft-access.ts';
import { extendDraft, longestWaitMinutes, createOnlyPeopleError } from '../deciding/extend.ts';
import type { GateDeps } from '../gate-deps.ts';
import { draftId } from '../ids.ts';
import { draftOutput, presentDraft } from '../presenting/draft.ts';
import { findDraft } from '../store/drafts.ts';

export function extendAction({ registry, publicUrl }: Pick<GateDeps, 'registry' | 'publicUrl'>) {
  return defineOperation({
    name: 'extend_action',
    summary: 'Extend the time a draft waits for approval. For people only: an agent drafts again once a draft expired.',
    toolset: 'accounts',
    effect: 'write',
    access: {
      scope: 'actions:confirm',
      denied: async (_ctx, { draft_id }: { draft_id: string }) => createOnlyPeopleError(publicUrl, draft_id),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/extend' }],
    input: z.strictObject({
      draft_id: draftId,
      expires_in_minutes: z
        .number()
        .int()
        .min(5)
        .max(longestWaitMinutes)
        .describe(
          'How long the draft waits from now. The time is never shortened, and ends at most seven days after the draft was made.',
        ),
    }),
    output: draftOutput,
    errors: ['not_found', 'conflict', 'forbidden'],
    examples: [{ title: 'Decide tomorrow', input: { draft_id: createExampleId('draft'), expires_in_minutes: 1_440 } }],
    async run(ctx, { draft_id, expires_in_minutes: minutes }) {
      await extendDraft(ctx, { draftId: draft_id, minutes, publicUrl });
      const viewer = await loadViewer(ctx.db, ctx.caller, ctx.now);
      return presentDraft(await findDraft(ctx.db, draft_id), registry, viewer, ctx.now);
    },
  });
}
