import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { draftId } from '../ids.ts';
import { ackDecisions, insertAck } from '../store/inbox.ts';

export const ackInboxAction = defineOperation({
  name: 'ack_inbox_action',
  summary:
    "Record the person's reaction to a prompt of the session-start hook. The first reaction counts; one more is recorded if the draft fails later. This does not decide the draft: confirm_action does.",
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'actions:draft' },
  rest: [{ method: 'POST', path: '/v1/inbox/{id}/ack' }],
  input: z.strictObject({
    id: draftId.describe('From the HTML comment beside the prompt.'),
    decision: z.enum(ackDecisions).describe('auto: the person was shown it, and no reaction was needed.'),
  }),
  output: z.object({
    ok: z.literal(true),
    id: z.uuid(),
    decision: z.enum(ackDecisions).describe('The recorded reaction, which is the first one.'),
    recorded: z.boolean().describe('False: a reaction was recorded before, and it stays.'),
  }),
  errors: ['not_found'],
  examples: [{ title: 'The person was shown it', input: { id: createExampleId('draft'), decision: 'auto' } }],
  async run({ db, caller, now }, { id, decision }) {
    const ack = { draft_id: id, person_id: caller.personId, workspace_id: caller.workspaceId, decision, at: now };
    const stored = await insertAck(db, ack);
    return { ok: true as const, id, decision: stored.decision, recorded: stored.isNew };
  },
});
