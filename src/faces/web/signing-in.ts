// Builds what the sign-in routes need from accounts and connections.
import { hasWorkspace, listSomeWorkspaceIds } from '#modules/accounts';
import { getSignInConsents } from '#modules/connections';
import type { Ground } from '#platform';
import { runAsSystem } from '#platform/database';
import type { SignInWith } from './sign-in-with.ts';
import type { SigningIn } from './sign-in.ts';

/** The dependencies of the sign-in routes. */
export function createSignInWith(ground: Ground, signingIn: SigningIn): SignInWith {
  const { db, log } = ground;
  const consents = getSignInConsents(ground);
  const workspaceNamed: SignInWith['workspaceNamed'] = async (id) => {
    if (id !== undefined)
      return isUuid(id) && (await runAsSystem(db, (system) => hasWorkspace(system, id))) ? id : null;
    const some = await runAsSystem(db, (system) => listSomeWorkspaceIds(system, 2));
    return some.length === 1 ? (some[0] ?? null) : null;
  };
  return {
    ...signingIn,
    consents,
    workspaceNamed,
    async listOffers(id) {
      const workspaceId = await workspaceNamed(id);
      return id !== undefined && !workspaceId ? [] : consents.offered(workspaceId);
    },
    noteRefusal: (err) => log.info({ err }, 'somebody could not sign in with an account of a provider'),
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
