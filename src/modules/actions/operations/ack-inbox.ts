import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { loadViewer } from '../approvers/draft-access.ts';
import { eachDraftId } from '../ids.ts';
import { locateDrafts } from '../store/draft-lists.ts';
import { insertAck } from '../store/inbox.ts';

const hint = z.string().trim().max(200).optional();

export const ackInbox = defineOperation({
  name: 'ack_inbox',
  summary: 'Record that the person was shown these inbox notifications. For the hooks of a client.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'actions:draft' },
  rest: [{ method: 'POST', path: '/inbox/claude/ack' }],
  ignoresUnknownFields: true,
  input: z.strictObject({
    session_id: hint,
    mode: hint,
    device_id: hint,
    applied: z.array(eachDraftId).max(100).default([]).describe('Ids of the shown notifications.'),
    context_received: z
      .array(z.strictObject({ kind: z.string().max(100), key: z.string().max(200) }))
      .max(500)
      .default([])
      .describe('Which parts of the context arrived.'),
  }),
  output: z.object({ acked: z.number().int().describe('How many notifications this recorded.') }),
  errors: ['not_found'],
  examples: [{ title: 'One was shown', input: { session_id: 's-1', applied: [createExampleId('draft')] } }],
  async run({ db, caller, now }, { applied }) {
    if (!applied.length) return { acked: 0 };
    const seen = await locateDrafts(db, [...new Set(applied)], await loadViewer(db, caller, now));
    const ack = { person_id: caller.personId, workspace_id: caller.workspaceId, decision: 'auto' as const, at: now };
    let acked = 0;
    for (const { id } of seen) acked += Number((await insertAck(db, { ...ack, draft_id: id })).isNew);
    return { acked };
  },
});
