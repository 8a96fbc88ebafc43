import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { draftId } from '../ids.ts';
import { ackDecisions, insertAck } from '../store/inbox.ts';

export const ackInboxAction = defineOperation({
  name: 'ack_inbox_action',
  summary:
    'Record what the person said to a prompt of the session-start hook: the first word counts, and once more is noted when it went wrong later. It decides nothing: confirm_action does.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'actions:draft' },
  rest: [{ method: 'POST', path: '/v1/inbox/{id}/ack' }],
  input: z.strictObject({
    id: draftId.describe('From the HTML comment beside the prompt.'),
    decision: z.enum(ackDecisions).describe('auto: the person has heard of it, and there was nothing to say.'),
  }),
  output: z.object({
    ok: z.literal(true),
    id: z.uuid(),
    decision: z.enum(ackDecisions).describe('What is recorded: the first thing that the person said.'),
    recorded: z.boolean().describe('False: something was said before of it as it is, and stays.'),
  }),
  errors: ['not_found'],
  examples: [{ title: 'They have heard of it', input: { id: exampleId('draft'), decision: 'auto' } }],
  async run({ db, caller, now }, { id, decision }) {
    const ack = { draft_id: id, person_id: caller.personId, workspace_id: caller.workspaceId, decision, at: now };
    const stored = await insertAck(db, ack);
    return { ok: true as const, id, decision: stored.decision, recorded: stored.isNew };
  },
});
