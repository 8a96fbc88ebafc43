import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { createApprovalRequiredError, toUndo } from '../deciding/approval-required.ts';
import { draftId } from '../ids.ts';
import type { GateDeps } from '../gate-deps.ts';
import { decideToUndo, undo } from '../undo/undo.ts';

export function undoAction(deps: GateDeps) {
  return defineOperation({
    name: 'undo_action',
    summary:
      'Undo a confirmed draft, for example delete the created issue or event. Possible until the time in its `undo`.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_id }) => createApprovalRequiredError(ctx, deps, [draft_id], toUndo),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/undo' }],
    input: z.strictObject({ draft_id: draftId }),
    output: z.object({ draft_id: z.uuid(), status: z.literal('undone') }),
    errors: ['not_found', 'conflict', 'approval_required', 'upstream_failed'],
    examples: [{ title: 'That was a mistake', input: { draft_id: createExampleId('sent_draft') } }],
    run: (ctx, { draft_id }) => decideToUndo(ctx, deps, draft_id),
    async afterCommit(ctx, draft) {
      await undo(ctx, deps, draft);
      return { draft_id: draft.id, status: 'undone' as const };
    },
  });
}
