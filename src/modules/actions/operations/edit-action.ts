import type { Context } from '#kernel/context';
import { createExampleId } from '#kernel/examples';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { createApprovalRequiredError, toEdit } from '../deciding/approval-required.ts';
import { loadViewer } from '../approvers/draft-access.ts';
import { editDraft } from '../deciding/edit.ts';
import { draftId } from '../ids.ts';
import { draftOutput, presentDraft } from '../presenting/draft.ts';
import type { GateDeps } from '../gate-deps.ts';
import { contentHash } from '../deciding/seen.ts';
import { findDraft } from '../store/drafts.ts';

export function editAction(deps: Pick<GateDeps, 'registry' | 'publicUrl'>) {
  return defineOperation({
    name: 'edit_action',
    summary: 'Edit a waiting draft. The edits are stored with the draft and sent when it is approved.',
    toolset: 'accounts',
    effect: 'write',
    access: {
      scope: 'actions:confirm',
      denied: (ctx: Context, { draft_id }: { draft_id: string }) =>
        createApprovalRequiredError(ctx, deps, [draft_id], toEdit),
    },
    rest: [{ method: 'POST', path: '/v1/actions/{draft_id}/edit' }],
    input: z.strictObject({
      draft_id: draftId,
      edits: z
        .record(z.string().max(60), z.unknown())
        .optional()
        .describe("New values for some of the draft's `editable` fields; the others stay as they are."),
      restore: z.literal(true).optional().describe('Instead of edits: restore the original content.'),
      content_hash: contentHash.optional(),
    }),
    output: draftOutput,
    errors: ['not_found', 'conflict', 'invalid_input', 'forbidden', 'approval_required'],
    examples: [
      {
        title: 'A better subject',
        input: { draft_id: createExampleId('draft'), edits: { subject: 'Lunch on Friday' } },
      },
    ],
    async run(ctx, { draft_id, edits, restore, content_hash: seen }) {
      if ((edits === undefined) === (restore === undefined))
        throw new AppError('invalid_input', 'Give either edits or restore.');
      await editDraft(ctx, deps.registry, { draftId: draft_id, edit: edits ? { edits } : 'restore', seen });
      const viewer = await loadViewer(ctx.db, ctx.caller, ctx.now);
      return presentDraft(await findDraft(ctx.db, draft_id), deps.registry, viewer, ctx.now);
    },
  });
}
