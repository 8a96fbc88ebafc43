import { defineOperation } from '#kernel/operation';
import type { ActionRegistry } from '#modules/policy';
import { z } from 'zod';
import { loadViewer } from '../approvers/draft-access.ts';
import { nextCursor, pageCursor, readPage } from '../draft-pages.ts';
import { detailField, draftRow, presentRow } from '../presenting/draft.ts';
import { countDrafts, type DraftFilter } from '../store/draft-lists.ts';

export function listPendingActions(registry: ActionRegistry) {
  return defineOperation({
    name: 'list_pending_actions',
    summary: 'List the drafts that wait for approval, newest first.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions/pending' }],
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).default(50),
      source: z.string().min(1).max(60).optional(),
      batch_id: z.uuid().optional().describe('Only the drafts of this batch.'),
      cursor: pageCursor,
      detail: detailField,
    }),
    output: z.object({
      count: z.number().int().describe('Number of drafts in this answer.'),
      total: z.number().int().nullable().describe('Number of all waiting drafts; null after the first page.'),
      drafts: z.array(draftRow),
      next_cursor: nextCursor,
    }),
    errors: ['invalid_input'],
    examples: [{ title: 'What waits for approval?', input: {} }],
    async run(ctx, { limit, source, batch_id, cursor, detail }) {
      const viewer = await loadViewer(ctx.db, ctx.caller, ctx.now);
      const filter: DraftFilter = {
        viewer,
        states: { of: ['pending'], at: ctx.now },
        ...(source && { source }),
        ...(batch_id && { batchId: batch_id }),
      };
      const { drafts, next } = await readPage(ctx, filter, { cursor, limit });
      return {
        count: drafts.length,
        total: cursor === undefined ? await countDrafts(ctx.db, filter) : null,
        drafts: drafts.map((draft) => presentRow(detail, draft, registry, viewer, ctx.now)),
        next_cursor: next,
      };
    },
  });
}
