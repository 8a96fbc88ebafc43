// The caller of an access token: the installation of a client that a person connected.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Event } from '#kernel/event';
import { findPerson, type Credentials, type Use } from '#modules/accounts';
import { enterWorkspace } from '#platform/database';
import { grantableScopes } from './client-scopes.ts';
import { clientUsedElsewhere } from './events.ts';
import { findGrant, lockGrantInForce, notePlace, touchGrant } from './store/grants.ts';
import { ownerOfToken } from './store/tokens.ts';

/** Access tokens, as credentials that callers present. */
export const accessTokens: NonNullable<Credentials['oauth']> = {
  find: callerOfToken,
  touch: touchGrant,
  lockInForce: lockGrantInForce,
  notePlace: notePlaceOfClient,
};

/** Its scopes are held against its person's role at every call. Throws `unauthenticated` for what has ended, and `forbidden` for what
 * is paused: a client that got 401 would ask its person to connect it anew. */
async function callerOfToken(db: Db, hash: string, at: Date): Promise<Caller> {
  const token = await ownerOfToken(db, hash, 'access');
  if (!token || token.expires_at <= at) throw refused();
  await enterWorkspace(db, token.workspace_id);
  const grant = await findGrant(db, token.grant_id);
  if (!grant || grant.ended_at || (grant.expires_at && grant.expires_at <= at)) throw refused();
  if (grant.paused_at) throw new AppError('forbidden', 'This client is paused. Resume it in the console.');
  const person = await findPerson(db, grant.person_id);
  if (!person) throw refused();
  return {
    kind: 'oauth',
    id: grant.id,
    label: grant.client_name,
    workspaceId: grant.workspace_id,
    personId: grant.person_id,
    role: person.role,
    scopes: new Set(grantableScopes(person.role).filter((scope) => grant.scopes.includes(scope))),
    homeBrainId: grant.home_brain_id,
    reach: grant.reach,
    ownRules: grant.rules,
    isHumanSurface: false,
    audience: grant.resource,
    ...(grant.toolsets && { toolsets: grant.toolsets }),
  };
}

async function notePlaceOfClient(db: Db, { caller, place, at }: Use): Promise<Event | null> {
  const { id, workspaceId, personId } = caller;
  const isElsewhere = await notePlace(db, { grantId: id, workspaceId, place, at });
  return isElsewhere ? clientUsedElsewhere({ connected_client_id: id, place }, { personId }) : null;
}

function refused(): AppError {
  return new AppError('unauthenticated', 'This access token has expired or was ended. Connect the client again.');
}
