export { createAuthenticate, type Authenticate, type Credentials, type CredentialUse } from './authenticate.ts';
export {
  createDownloads,
  createFindViewer,
  createProofHandOver,
  type Downloads,
  type FindViewer,
  type ProofHandOver,
  type Viewer,
} from './sessions/viewers.ts';
export { listPersonEnders } from './people/end-membership.ts';
export { createFirstWorkspace, type Welcome } from './workspaces/first-start.ts';
export { checkFreshSession, isFreshSession } from './sessions/human.ts';
export { keyResource, workspaceId } from './ids.ts';
export { accountsModule } from './module.ts';
export { checkMayResume } from './keys/may-resume.ts';
export { findCallerKeyId } from './caller-key.ts';
export { createLockCaller } from './lock-caller.ts';
export { type LinkPreview } from './sign-in/link-preview.ts';
export { makeOwnerLink } from './sign-in/owner-link.ts';
export { createPeople } from './people/people.ts';
export { isToBeMailed, buildUsedElsewhereMail } from './keys/used-elsewhere.ts';
export { lockPlanLimits } from './workspaces/plans.ts';
export { createRateLimit } from './rate-limit.ts';
export { generateCredential, getVisiblePrefix, withoutSignInTokens } from './secrets.ts';
export { type Admission } from './sign-in/admission.ts';
export { type NewSession } from './sessions/open-session.ts';
export { requestResponse as passkeyResponse } from './sign-in/passkeys.ts';
export { createSignIn, type SignIn } from './sign-in/sign-in.ts';
export { type Account } from './sign-in/sign-in-by-account.ts';
export { type SignInVisit } from './sign-in/sign-in-ways.ts';
export { keepAnswer, releaseAnswer, reserveAnswer } from './store/kept-answers.ts';
export { findPerson, findPersonByEmail, createPersonRemovedError } from './store/people.ts';
export {
  findWorkspaceName,
  findFirstWorkspaceId,
  hasWorkspace,
  listWorkspaceIds,
  listSomeWorkspaceIds,
} from './store/workspaces.ts';
