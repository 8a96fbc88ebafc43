import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { viewerOf } from '../approvers/viewer.ts';
import { draftStates } from '../draft-states.ts';
import { draftOutput, presentDraft } from '../present.ts';
import type { ActionRegistry } from '../registry.ts';
import { listDrafts } from '../store/draft-lists.ts';

export function listActions(registry: ActionRegistry) {
  return defineOperation({
    name: 'list_actions',
    summary: 'List drafts of any state, newest first: what was sent, declined, failed or is not known.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions' }],
    input: z.strictObject({
      status: z.enum(draftStates).optional(),
      source: z.string().min(1).max(60).optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    output: z.object({ actions: z.array(draftOutput) }),
    errors: [],
    examples: [{ title: 'What was sent lately?', input: { status: 'confirmed', limit: 10 } }],
    async run(ctx, { status, source, limit }) {
      const viewer = await viewerOf(ctx.db, ctx.caller, ctx.now);
      const drafts = await listDrafts(ctx.db, {
        viewer,
        ...(status && { statuses: [status] }),
        ...(source && { source }),
        limit,
      });
      return { actions: drafts.map((draft) => presentDraft(draft, registry, viewer, ctx.now)) };
    },
  });
}
