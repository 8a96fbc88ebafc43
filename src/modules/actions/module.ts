import { defineJob, defineModule, runAfterEvents } from '#kernel/module';
import { policyChanged } from '#modules/policy';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem, queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import { endJob, notifyDelegationEnd, type DelegationEnd } from './approvers/end-in-time.ts';
import { approverChanged, draftCreated, draftDecided, draftEdited, draftExtended } from './events.ts';
import { expireOverdue } from './expire-overdue.ts';
import { endActionsOfPerson } from './end-person.ts';
import { approverResource, createDraftResource } from './ids.ts';
import { draftsOfBrain } from './leave-brain.ts';
import { ackInboxAction } from './operations/ack-inbox-action.ts';
import { ackInbox } from './operations/ack-inbox.ts';
import { answerAction } from './operations/answer-action.ts';
import { confirmAction } from './operations/confirm-action.ts';
import { confirmActions } from './operations/confirm-actions.ts';
import { discardAction } from './operations/discard-action.ts';
import { discardActions } from './operations/discard-actions.ts';
import { editAction } from './operations/edit-action.ts';
import { extendAction } from './operations/extend-action.ts';
import { exportLedger } from './operations/export-ledger.ts';
import { getAction } from './operations/get-action.ts';
import { listActions } from './operations/list-actions.ts';
import { listInboxPrompts } from './operations/list-inbox-prompts.ts';
import { listPendingActions } from './operations/list-pending-actions.ts';
import { verifyLedger } from './operations/verify-ledger.ts';
import { createNameApprover } from './operations/name-approver.ts';
import { listApprovers } from './operations/list-approvers.ts';
import { withdrawApprover } from './operations/withdraw-approver.ts';
import { undoAction } from './operations/undo-action.ts';
import { markAllStale } from './deciding/mark-stale.ts';
import { createSealing } from './ledger/sealing.ts';
import { finishSending } from './sending/send-draft.ts';
import { gateDepsOf, finishSendingJob } from './gate-deps.ts';
import { finishUndo, finishUndoJob } from './undo/undo.ts';

type OfDraft = { workspaceId: string; draftId: string };

/** Drafts of effects outside, who decides, and the ledger of what happened. */
export const actionsModule = defineModule<Ground>({
  name: 'actions',
  resources: [createDraftResource({ now }), approverResource],
  events: [draftCreated, draftEdited, draftExtended, draftDecided, approverChanged],
  dependents: [draftsOfBrain],
  endPerson: endActionsOfPerson,
  operations(ground) {
    const { vault, config } = ground;
    const deps = gateDepsOf(ground);
    const { registry } = deps;
    return [
      confirmAction(deps),
      discardAction,
      confirmActions(deps),
      discardActions,
      editAction(deps),
      extendAction(deps),
      listPendingActions(registry),
      listActions(registry),
      getAction(registry),
      answerAction(deps),
      undoAction(deps),
      listInboxPrompts(config),
      ackInboxAction,
      ackInbox,
      createNameApprover(deps),
      listApprovers,
      withdrawApprover,
      verifyLedger(vault),
      exportLedger,
    ];
  },
  work(ground) {
    const { db, transactions, vault, log, emitEvent } = ground;
    const deps = gateDepsOf(ground);
    return {
      jobs: [
        defineJob<OfDraft>(finishSendingJob, (data) => finishSending(deps, data)),
        defineJob<OfDraft>(finishUndoJob, (data) => finishUndo(deps, data)),
        defineJob<DelegationEnd>(endJob, (data) => notifyDelegationEnd(deps, data)),
      ],
      // Marks a first part at once. The rest, and drafts that were being made during the change, follow a moment later.
      subscribers: [
        runAfterEvents([policyChanged], 'stale-drafts', (_payload, { workspaceId }) => markAllStale(deps, workspaceId)),
      ],
      eachMinute: [
        {
          name: 'expired-drafts',
          findWorkspaces: (bound) => queryWorkspaceIds(bound, sql`workspaces_with_overdue_drafts()`),
          run: (workspaceId) =>
            transactions.run(workspaceId, 'write', (bound) => expireOverdue({ emitEvent, newId }, bound, now())),
        },
      ],
      background: [createSealing({ transactions, vault, log, now, asSystem: (run) => runAsSystem(db, run) })],
    };
  },
});
