import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { approvalRequired, toUndo } from '../deciding/approval.ts';
import { draftId } from '../ids.ts';
import type { Sending } from '../sending/sending.ts';
import { decideToUndo, undo } from '../undo/undo.ts';

export function undoAction(sending: Sending & { publicUrl: string }) {
  return defineOperation({
    name: 'undo_action',
    summary:
      'Take back what a confirmed draft did, while its `undo` says that it can be: the issue or the event is deleted.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_id }) => approvalRequired(ctx, sending.registry, [draft_id], sending.publicUrl, toUndo),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/undo' }],
    input: z.strictObject({ draft_id: draftId }),
    output: z.object({ draft_id: z.uuid(), status: z.literal('undone') }),
    errors: ['not_found', 'conflict', 'approval_required', 'upstream_failed'],
    examples: [{ title: 'That was the wrong one', input: { draft_id: exampleId('sent_draft') } }],
    run: (ctx, { draft_id }) => decideToUndo(ctx, sending, draft_id),
    async afterCommit(ctx, draft) {
      await undo(ctx, sending, draft);
      return { draft_id: draft.id, status: 'undone' as const };
    },
  });
}
