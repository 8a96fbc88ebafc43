import type { Deciding } from './decide.ts';
import { confirmAction } from './operations/confirm-action.ts';
import { confirmActions } from './operations/confirm-actions.ts';
import { discardAction } from './operations/discard-action.ts';
import { discardActions } from './operations/discard-actions.ts';
import { getAction } from './operations/get-action.ts';
import { listActions } from './operations/list-actions.ts';
import { listPendingActions } from './operations/list-pending-actions.ts';
import { settleLater } from './send-draft.ts';
import { settleJob, type Sending } from './sending.ts';

export { draftAction, type DraftRequest } from './draft.ts';
export { expireOverdue } from './expire.ts';
export { draftResource } from './ids.ts';
export { draftsOfBrain } from './leave-brain.ts';
export { presentPreview, previewOutput } from './present.ts';
export { createActionRegistry, type ActionRegistry } from './registry.ts';
export { sendTimes, type Sending, type SendTimes } from './sending.ts';
export type { DraftRow } from './store/drafts.ts';

/** What callers can do with drafts. */
export function actionOperations(options: { sending: Sending; publicUrl: string }) {
  const { sending, publicUrl } = options;
  const deciding: Deciding = sending;
  const { registry } = sending;
  return [
    confirmAction({ deciding, sending, publicUrl }),
    discardAction,
    confirmActions({ deciding, sending, publicUrl }),
    discardActions,
    listPendingActions(registry),
    listActions(registry),
    getAction(registry),
  ];
}

/** The job that settles drafts whose decider died, or whose provider has to be asked again. */
export function defineActionJobs(sending: Sending): void {
  sending.jobs.define<{ workspaceId: string; draftId: string }>(settleJob, (data) => settleLater(sending, data));
}
