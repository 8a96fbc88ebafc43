import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { draftOutput, presentDraft } from '../present.ts';
import type { ActionRegistry } from '../registry.ts';
import { listDrafts } from '../store/drafts.ts';

export function listPendingActions(registry: ActionRegistry) {
  return defineOperation({
    name: 'list_pending_actions',
    summary: 'List the drafts that wait for a decision. Executes nothing.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions/pending' }],
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).default(50),
      source: z.string().min(1).max(60).optional(),
    }),
    output: z.object({ count: z.number().int(), drafts: z.array(draftOutput) }),
    errors: [],
    examples: [{ title: 'What waits for a yes?', input: {} }],
    async run(ctx, { limit, source }) {
      const drafts = await listDrafts(ctx.db, {
        personId: ctx.caller.personId,
        statuses: ['pending'],
        liveAt: ctx.now,
        ...(source && { source }),
        limit,
      });
      return { count: drafts.length, drafts: drafts.map((draft) => presentDraft(draft, registry, ctx.now)) };
    },
  });
}
