import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { createApprovalRequiredError } from '../deciding/approval-required.ts';
import { decideToSend } from '../deciding/decide.ts';
import { draftId } from '../ids.ts';
import { awaitOutcome, outcomeOutput } from '../sending/outcome.ts';
import { contentHash } from '../deciding/seen.ts';
import type { GateDeps } from '../gate-deps.ts';

export function confirmAction(deps: GateDeps) {
  return defineOperation({
    name: 'confirm_action',
    summary: 'Send a draft after the person saw its preview and approved it. A draft is sent at most once.',
    toolset: 'actions',
    effect: 'write',
    isDestructive: true,
    access: {
      scope: 'actions:confirm',
      denied: (ctx, { draft_id }) => createApprovalRequiredError(ctx, deps, [draft_id]),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/confirm' }],
    input: z.strictObject({
      draft_id: draftId,
      edits: z
        .record(z.string().max(60), z.unknown())
        .optional()
        .describe("New values for some of the draft's `editable` fields, such as subject or body."),
      content_hash: contentHash.optional(),
    }),
    output: outcomeOutput,
    errors: ['not_found', 'conflict', 'approval_required'],
    examples: [{ title: 'The person approved', input: { draft_id: createExampleId('draft') } }],
    run: (ctx, { draft_id, edits, content_hash: seen }) => decideToSend(ctx, deps, draft_id, { edits, seen }),
    afterCommit: (ctx, isOurs, { draft_id }) => awaitOutcome(ctx, deps, draft_id, isOurs),
  });
}
