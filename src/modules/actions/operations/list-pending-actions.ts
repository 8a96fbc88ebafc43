import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { viewerOf } from '../approvers/viewer.ts';
import { draftOutput, presentDraft } from '../present.ts';
import type { ActionRegistry } from '../registry.ts';
import { countDrafts, listDrafts, locateDrafts, type DraftFilter } from '../store/draft-lists.ts';

const cursorForm = /^draft:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function listPendingActions(registry: ActionRegistry) {
  return defineOperation({
    name: 'list_pending_actions',
    summary: 'List the drafts that wait for a decision, newest first. Executes nothing.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions/pending' }],
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).default(50),
      source: z.string().min(1).max(60).optional(),
      batch_id: z.uuid().optional().describe('Only the drafts of this batch.'),
      cursor: z.string().max(60).optional().describe('`next_cursor` of the page before; the first page without.'),
    }),
    output: z.object({
      count: z.number().int().describe('How many are in this answer.'),
      total: z.number().int().nullable().describe('How many wait in all; told with the first page, null after it.'),
      drafts: z.array(draftOutput),
      next_cursor: z.string().nullable().describe('Null: this was the last page.'),
    }),
    errors: ['invalid_input'],
    examples: [{ title: 'What waits for a yes?', input: {} }],
    async run(ctx, { limit, source, batch_id, cursor }) {
      const viewer = await viewerOf(ctx.db, ctx.caller, ctx.now);
      const filter: DraftFilter = {
        viewer,
        statuses: ['pending'],
        liveAt: ctx.now,
        ...(source && { source }),
        ...(batch_id && { batchId: batch_id }),
      };
      const after = cursor === undefined ? null : placeOf(cursor);
      if (after && !(await locateDrafts(ctx.db, [after], viewer)).length) throw notOurs();
      // One more than asked for tells whether another page follows.
      const found = await listDrafts(ctx.db, { ...filter, ...(after && { afterId: after }), limit: limit + 1 });
      const drafts = found.slice(0, limit);
      const last = found.length > limit ? drafts.at(-1) : undefined;
      return {
        count: drafts.length,
        total: after ? null : await countDrafts(ctx.db, filter),
        drafts: drafts.map((draft) => presentDraft(draft, registry, viewer, ctx.now)),
        next_cursor: last ? `draft:${last.id}` : null,
      };
    },
  });
}

/** The draft that the page before ended with. It is a place still when it was decided meanwhile. */
function placeOf(cursor: string): string {
  const [, id] = cursorForm.exec(cursor) ?? [];
  if (!id) throw notOurs();
  return id;
}

function notOurs(): AppError {
  return new AppError('invalid_input', 'cursor: not one of this operation. Use next_cursor as it was answered.');
}
