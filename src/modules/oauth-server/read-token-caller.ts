// The caller of an access token: an installation of a client that a person connected.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Event } from '#kernel/event';
import { findPerson, type Credentials, type CredentialUse } from '#modules/accounts';
import { enterWorkspace } from '#platform/database';
import { listGrantableScopes } from './clients/client-scopes.ts';
import { clientUsedElsewhere } from './events.ts';
import type { Resources } from './resources.ts';
import { findGrant, lockGrantInForce, notePlace, touchGrant } from './store/grants.ts';
import { findAccessToken } from './store/tokens.ts';

/**
 * Access tokens, as credentials that callers present. Every face gets its callers here, so this code checks that a
 * token is for this server and for its workspace.
 */
export function createAccessTokens(resources: Pick<Resources, 'isFor'>): NonNullable<Credentials['oauth']> {
  return {
    async find(db, hash, at) {
      const caller = await readTokenCaller(db, hash, at);
      const isHere = caller.audience !== undefined && resources.isFor(caller.audience, caller.workspaceId);
      if (!isHere) throw isForElsewhere();
      return caller;
    },
    touch: touchGrant,
    lockInForce: lockGrantInForce,
    notePlace: notePlaceOfClient,
  };
}

/**
 * Its scopes are those of the token, limited by the grant and its person's role at every call. Throws `unauthenticated`
 * for an ended credential, and `forbidden` for a paused one: with 401, a client would ask its person to connect it
 * again.
 */
async function readTokenCaller(db: Db, hash: string, at: Date): Promise<Caller> {
  const token = await findAccessToken(db, hash);
  if (!token || token.expires_at <= at) throw createTokenExpiredError();
  await enterWorkspace(db, token.workspace_id);
  const grant = await findGrant(db, token.grant_id);
  if (!grant || grant.ended_at || (grant.expires_at && grant.expires_at <= at)) throw createTokenExpiredError();
  if (grant.paused_at) throw new AppError('forbidden', 'This client is paused. Resume it in the console.');
  const person = await findPerson(db, grant.person_id);
  if (!person) throw createTokenExpiredError();
  const tokenScopes = token.scope.split(' ');
  return createCaller({
    kind: 'oauth',
    id: grant.id,
    label: grant.client_name,
    workspaceId: grant.workspace_id,
    personId: grant.person_id,
    role: person.role,
    scopes: new Set(
      listGrantableScopes(person.role).filter((scope) => grant.scopes.includes(scope) && tokenScopes.includes(scope)),
    ),
    homeBrainId: grant.home_brain_id,
    reach: grant.reach,
    ownRules: grant.rules,
    audience: grant.resource,
    ...(grant.toolsets && { toolsets: grant.toolsets }),
  });
}

async function notePlaceOfClient(db: Db, { caller, place, at }: CredentialUse): Promise<Event | null> {
  const { id, workspaceId, personId } = caller;
  const isElsewhere = await notePlace(db, { grantId: id, workspaceId, place, at });
  return isElsewhere ? clientUsedElsewhere({ connected_client_id: id, place }, { personId }) : null;
}

function isForElsewhere(): AppError {
  return new AppError(
    'unauthenticated',
    'This access token is for another workspace or another server. Connect the client again, at the address of this one.',
  );
}

function createTokenExpiredError(): AppError {
  return new AppError('unauthenticated', 'This access token has expired or was ended. Connect the client again.');
}
