import type { Vault } from '#platform/vault';
import type { Deciding } from './decide.ts';
import { endJob, tellEnded, type Ending } from './approvers/end-in-time.ts';
import { ackInboxAction } from './operations/ack-inbox-action.ts';
import { answerAction } from './operations/answer-action.ts';
import { confirmAction } from './operations/confirm-action.ts';
import { confirmActions } from './operations/confirm-actions.ts';
import { discardAction } from './operations/discard-action.ts';
import { discardActions } from './operations/discard-actions.ts';
import { explainPolicy } from './operations/explain-policy.ts';
import { exportLedger } from './operations/export-ledger.ts';
import { getAction } from './operations/get-action.ts';
import { getPolicy } from './operations/get-policy.ts';
import { listActions } from './operations/list-actions.ts';
import { listInboxPrompts } from './operations/list-inbox-prompts.ts';
import { listPendingActions } from './operations/list-pending-actions.ts';
import { verifyLedger } from './operations/verify-ledger.ts';
import { nameApprover } from './operations/name-approver.ts';
import { listApprovers } from './operations/list-approvers.ts';
import { withdrawApprover } from './operations/withdraw-approver.ts';
import { setPolicy } from './operations/set-policy.ts';
import { undoAction } from './operations/undo-action.ts';
import { settleLater } from './send-draft.ts';
import { settleUndo, settleUndoJob } from './undo.ts';
import { settleJob, type Sending } from './sending.ts';

export { draftAnswer, finishDraft, sayDraft, takeReplyTo, type Drafted } from './drafted.ts';
export { expireOverdue } from './expire.ts';
export { decidersOf, ownerNameOf, sees, viewerFor, viewerOf, type Viewer } from './approvers/viewer.ts';
export { locateDrafts } from './store/draft-lists.ts';
export { approverResource, draftId, draftResource } from './ids.ts';
export { draftsOfBrain } from './leave-brain.ts';
export { foresee } from './policy/foresee.ts';
export { checkRead, checkSyncRead } from './policy/check-read.ts';
export { checkRedraft } from './redraft.ts';
export { createActionRegistry, type ActionRegistry } from './registry.ts';
export { createSealing, type Sealing } from './seals/sealing.ts';
export {
  sendTimes,
  type Connected,
  type PromptPhone,
  type Sending,
  type SendTimes,
  type TellDeciders,
} from './sending.ts';
export { addNotifyTarget, dropNotifyTarget } from './store/notify-targets.ts';
export { findDraft, findDrafts, type DraftRow } from './store/drafts.ts';
export { headingOf } from './present.ts';
export { nothingWasSent } from './unsent.ts';

/** What callers can do with drafts. */
export function actionOperations(options: { sending: Sending; publicUrl: string; vault: Vault }) {
  const { sending, publicUrl, vault } = options;
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
    undoAction({ ...sending, publicUrl }),
    listInboxPrompts({ publicUrl }),
    ackInboxAction,
    nameApprover(sending),
    listApprovers,
    withdrawApprover,
    getPolicy(registry),
    setPolicy(registry),
    explainPolicy(registry),
    verifyLedger(vault),
    exportLedger,
  ];
}

/**
 * The jobs that settle drafts, and undos, whose decider died, or whose provider has to be asked again, and the one that ends namings.
 */
export function defineActionJobs(sending: Sending): void {
  sending.jobs.define<{ workspaceId: string; draftId: string }>(settleUndoJob, (data) => settleUndo(sending, data));
  sending.jobs.define<{ workspaceId: string; draftId: string }>(settleJob, (data) => settleLater(sending, data));
  sending.jobs.define<Ending>(endJob, (data) => tellEnded(sending, data));
}
