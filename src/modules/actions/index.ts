export { draftAnswer, draftInCall, finishDraft, takeReplyTo, type Drafted } from './drafting/draft-in-call.ts';
export { draftCreated, draftDecided, policyChanged } from './events.ts';
export { expireOverdue } from './deciding/expire.ts';
export { longestWaitMinutes } from './deciding/extend.ts';
export { decidersOf, ownerNameOf, sees, viewerFor, viewerOf, type Viewer } from './approvers/draft-access.ts';
export { locateDrafts } from './store/draft-lists.ts';
export { draftId } from './ids.ts';
export { actionsModule } from './module.ts';
export { foresee } from './policy/foresee.ts';
export { ruleOn } from './policy/rule-on.ts';
export { checkRead, checkReadOfAny, checkSyncRead, type ReadRuling } from './policy/check-read.ts';
export { checkRedraft } from './drafting/redraft.ts';
export { type ActionRegistry } from './registry.ts';
export { gateDepsOf, lastArrival, type GateDeps } from './gate-deps.ts';
export { addNotifyTarget, dropNotifyTarget } from './store/notify-targets.ts';
export { findDraft, findDrafts, type DraftRow } from './store/drafts.ts';
export { dangerLine } from './presenting/danger.ts';
export {
  contentOf,
  cutAtWord,
  headingOf,
  momentText,
  quote,
  signatureOf,
  statusOf,
  text,
  type Part,
} from './presenting/draft-text.ts';
