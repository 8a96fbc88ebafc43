import { createKey } from './operations/create-key.ts';
import { createSignInLink } from './operations/create-sign-in-link.ts';
import { listKeys } from './operations/list-keys.ts';
import { revokeKey } from './operations/revoke-key.ts';
import { whoAmI } from './operations/who-am-i.ts';

export { createAuthenticate, type Authenticate } from './authenticate.ts';
export { welcome, type Welcome } from './first-start.ts';
export { keyResource, workspaceId, workspaceResource } from './ids.ts';
export { keysOfBrain } from './leave-brain.ts';
export { makeOwnerLink } from './owner-link.ts';
export { createPeople } from './people.ts';
export { limitsOf } from './plans.ts';
export { createRateLimit } from './rate-limit.ts';
export { withoutSignInTokens } from './secrets.ts';
export { createSignIn, type NewSession, type SignIn } from './sign-in.ts';
export { dropExpiredAnswers, keepAnswer, releaseAnswer, reserveAnswer } from './store/kept-answers.ts';
export { findPerson, findPersonByEmail, listWorkspaceIds } from './store/people.ts';
export { dropEndedLinks } from './store/sessions.ts';

/** What callers can do with keys and sign-in. */
export function accountOperations(options: { publicUrl: string }) {
  return [createKey, listKeys, revokeKey, whoAmI, createSignInLink(options.publicUrl)];
}
