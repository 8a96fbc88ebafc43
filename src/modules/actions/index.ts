import type { Deciding } from './decide.ts';
import { ackInboxAction } from './operations/ack-inbox-action.ts';
import { answerAction } from './operations/answer-action.ts';
import { confirmAction } from './operations/confirm-action.ts';
import { confirmActions } from './operations/confirm-actions.ts';
import { discardAction } from './operations/discard-action.ts';
import { discardActions } from './operations/discard-actions.ts';
import { explainPolicy } from './operations/explain-policy.ts';
import { getAction } from './operations/get-action.ts';
import { getPolicy } from './operations/get-policy.ts';
import { listActions } from './operations/list-actions.ts';
import { listInboxPrompts } from './operations/list-inbox-prompts.ts';
import { listPendingActions } from './operations/list-pending-actions.ts';
import { setPolicy } from './operations/set-policy.ts';
import { settleLater } from './send-draft.ts';
import { settleJob, type Sending } from './sending.ts';

export { decideByPolicy } from './decide.ts';
export { draftAction, type DraftRequest } from './draft.ts';
export { expireOverdue } from './expire.ts';
export { draftResource } from './ids.ts';
export { draftsOfBrain } from './leave-brain.ts';
export { outcomeOf } from './outcome.ts';
export { checkRead } from './policy/check-read.ts';
export { presentPreview, previewOutput } from './present.ts';
export { createActionRegistry, type ActionRegistry } from './registry.ts';
export { sendTimes, type Sending, type SendTimes } from './sending.ts';
export type { DraftRow } from './store/drafts.ts';

/** What callers can do with drafts. */
export function actionOperations(options: { sending: Sending; publicUrl: string }) {
  const { sending, publicUrl } = options;
  const deciding: Deciding = { ...sending, publicUrl };
  const { registry } = sending;
  return [
    confirmAction({ deciding, sending, publicUrl }),
    discardAction,
    confirmActions({ deciding, sending, publicUrl }),
    discardActions,
    listPendingActions(registry),
    listActions(registry),
    getAction(registry),
    answerAction({ ...sending, publicUrl }),
    listInboxPrompts({ publicUrl }),
    ackInboxAction,
    getPolicy(registry),
    setPolicy(registry),
    explainPolicy(registry),
  ];
}

/** The job that settles drafts whose decider died, or whose provider has to be asked again. */
export function defineActionJobs(sending: Sending): void {
  sending.jobs.define<{ workspaceId: string; draftId: string }>(settleJob, (data) => settleLater(sending, data));
}
