export { draftAnswer } from './in-call/draft-answer.ts';
export { createDraftInCall, finishDraft, takeReplyTo, type PendingDraftAnswer } from './in-call/draft-in-call.ts';
export { type DraftRequest } from './drafting/resolve.ts';
export { draftCreated, draftDecided } from './events.ts';
export { createDraftPolicy } from './draft-policy.ts';
export { expireOverdue } from './expire-overdue.ts';
export { longestWaitMinutes } from './deciding/extend.ts';
export {
  listDeciders,
  findOwnerName,
  canViewerSee,
  loadPersonViewer,
  loadViewer,
  type Viewer,
} from './approvers/draft-access.ts';
export { locateDrafts } from './store/draft-lists.ts';
export { draftId } from './ids.ts';
export { actionsModule } from './module.ts';
export { checkRedraft } from './drafting/redraft.ts';
export { gateDepsOf, computeLastArrival, type GateDeps } from './gate-deps.ts';
export { addNotifyTarget, dropNotifyTarget } from './store/notify-targets.ts';
export { findDraft, findDrafts, type DraftRow } from './store/drafts.ts';
export { formatDangerLine } from './presenting/danger.ts';
export {
  buildContentParts,
  cutAtWord,
  formatHeading,
  formatUtcTime,
  quote,
  formatSignature,
  buildStatusParts,
  createTextPart,
  type Part,
} from './presenting/draft-text.ts';
