// Puts together what the sign-in routes need of accounts and connections.
import type { SigningIn, SignInWith } from '#faces/web';
import { hasWorkspace, someWorkspaces } from '#modules/accounts';
import { signInConsentsOf } from '#modules/connections';
import type { Ground } from '#platform';
import { asSystem } from '#platform/database';

/** Everything that the sign-in routes work with. */
export function signInWithOf(ground: Ground, signingIn: SigningIn): SignInWith {
  const { db, log } = ground;
  return {
    consents: signInConsentsOf(ground),
    ...signingIn,
    async workspaceNamed(id) {
      if (id !== undefined) return isUuid(id) && (await asSystem(db, (system) => hasWorkspace(system, id))) ? id : null;
      const some = await asSystem(db, (system) => someWorkspaces(system, 2));
      return some.length === 1 ? (some[0] ?? null) : null;
    },
    noteRefusal: (err) => log.info({ err }, 'somebody could not sign in with an account of a provider'),
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The providers by which people sign in to a workspace, or to this server. */
export function offersOf({ consents, workspaceNamed }: SignInWith) {
  return {
    async providersOf(id: string | undefined) {
      const workspaceId = await workspaceNamed(id);
      return id !== undefined && !workspaceId ? [] : consents.offered(workspaceId);
    },
  };
}
