import { itemId } from '#kernel/ids';
import { defineOperation } from '#kernel/operation';
import type { ActionRegistry } from '#modules/policy';
import { z } from 'zod';
import { loadViewer } from '../approvers/draft-access.ts';
import { nextCursor, pageCursor, readPage } from '../draft-pages.ts';
import { draftStates } from '../draft-states.ts';
import { detailField, draftRow, presentRow } from '../presenting/draft.ts';

const word = z.string().min(1).max(60).optional();
const time = z.union([z.iso.datetime({ offset: true }).max(40), z.iso.date().max(10)]).optional();

export function listActions(registry: ActionRegistry) {
  return defineOperation({
    name: 'list_actions',
    summary: 'List drafts of any state, newest first: sent, declined, failed, or with an unknown outcome.',
    toolset: 'actions',
    effect: 'read',
    access: { scope: 'actions:read' },
    rest: [{ method: 'GET', path: '/v1/actions' }],
    input: z.strictObject({
      status: z.enum(draftStates).optional(),
      statuses: z.array(z.enum(draftStates)).min(1).max(draftStates.length).optional().describe('One or more states.'),
      source: word,
      action: word,
      account: z.string().min(1).max(320).optional().describe('The sending account, as drafts show it.'),
      connection_id: itemId('connection')
        .optional()
        .describe("The sending account's connection id, from `list_connections`."),
      batch_id: z.uuid().optional().describe('Only the drafts of this batch.'),
      drafted_by_id: z.uuid().optional().describe('Only the drafts of this key, session or run.'),
      since: time.describe('Drafted at or after this ISO date or time.'),
      until: time.describe('Drafted before this ISO date or time.'),
      order: z
        .enum(['drafted', 'ended'])
        .default('drafted')
        .describe('Sort, newest first: by drafting time, or by the time of the decision or expiry.'),
      limit: z.number().int().min(1).max(200).default(50),
      cursor: pageCursor,
      detail: detailField,
    }),
    output: z.object({ actions: z.array(draftRow), next_cursor: nextCursor }),
    errors: ['invalid_input', 'not_found'],
    examples: [{ title: 'What was sent recently?', input: { status: 'confirmed', limit: 10 } }],
    async run(ctx, { status, statuses = [], limit, cursor, order, detail, since, until, ...by }) {
      const viewer = await loadViewer(ctx.db, ctx.caller, ctx.now);
      const of = status ? [status, ...statuses] : statuses;
      const filter = {
        viewer,
        ...(of.length && { states: { of, at: ctx.now } }),
        ...(by.source && { source: by.source }),
        ...(by.action && { action: by.action }),
        ...(by.account && { account: by.account }),
        ...(by.connection_id && { connectionId: by.connection_id }),
        ...(by.batch_id && { batchId: by.batch_id }),
        ...(by.drafted_by_id && { draftedBy: by.drafted_by_id }),
        ...(since && { since: new Date(since) }),
        ...(until && { until: new Date(until) }),
      };
      const { drafts, next } = await readPage(ctx, filter, { cursor, limit, order });
      return {
        actions: drafts.map((draft) => presentRow(detail, draft, registry, viewer, ctx.now)),
        next_cursor: next,
      };
    },
  });
}
