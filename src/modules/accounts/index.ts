export { createAuthenticate, type Authenticate, type Credentials, type CredentialUse } from './authenticate.ts';
export {
  createDownloads,
  createFindViewer,
  createProofHandOver,
  type Downloads,
  type FindViewer,
  type ProofHandOver,
  type Viewer,
} from './viewers.ts';
export { listPersonEnders } from './end-membership.ts';
export { createFirstWorkspace, type Welcome } from './first-start.ts';
export { checkFreshSession, isFreshSession } from './human.ts';
export { keyResource, workspaceId } from './ids.ts';
export { accountsModule } from './module.ts';
export { checkMayResume } from './may-resume.ts';
export { findCallerKeyId } from './caller-key.ts';
export { createLockCaller } from './lock-caller.ts';
export { type LinkPreview } from './link-preview.ts';
export { makeOwnerLink } from './owner-link.ts';
export { createPeople } from './people.ts';
export { isToBeMailed, buildUsedElsewhereMail } from './used-elsewhere.ts';
export { lockPlanLimits } from './plans.ts';
export { createRateLimit } from './rate-limit.ts';
export { generateCredential, getVisiblePrefix, withoutSignInTokens } from './secrets.ts';
export { type Admission } from './admission.ts';
export { type NewSession } from './open-session.ts';
export { requestResponse as passkeyResponse } from './passkeys.ts';
export { createSignIn, type SignIn } from './sign-in.ts';
export { type Account } from './sign-in-by-account.ts';
export { type SignInVisit } from './sign-in-ways.ts';
export { keepAnswer, releaseAnswer, reserveAnswer } from './store/kept-answers.ts';
export { findPerson, findPersonByEmail, createPersonRemovedError } from './store/people.ts';
export {
  findWorkspaceName,
  findFirstWorkspaceId,
  hasWorkspace,
  listWorkspaceIds,
  listSomeWorkspaceIds,
} from './store/workspaces.ts';
