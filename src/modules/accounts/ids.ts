import { isAtConsole, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { withPresentedHashes } from '#platform/database';
import { hashIdentity } from './identity-hashes.ts';
import { locateInvitations } from './store/invitations.ts';
import { locateKeys } from './store/keys.ts';
import { readIdentityId, locatePeople, listPeopleByIdentity } from './store/people.ts';
import { locateSessions, locateIdentitySessions } from './store/sessions.ts';

export const keyId = itemId('key').describe('Id of a key, from `list_keys`.');

/** A key is visible to its person and to administrators of the workspace; a key of one brain sees itself. */
export const keyResource = defineResource({
  kind: 'key',
  noun: 'key',
  async locate(db, ids, caller) {
    const visible = caller.reach === 'owner' ? ids : ids.filter((id) => id === caller.id);
    if (!visible.length) return [];
    return (await locateKeys(db, visible, getVisiblePersonId(caller))).map((id) => ({ id, brainId: null }));
  },
});

export const sessionId = itemId('session').describe('Id of a session, from `list_sessions`.');

/**
 * A session is visible to its person and to administrators of the workspace. A person at the console also sees their
 * sessions in other workspaces.
 */
export const signedInResource = defineResource({
  kind: 'session',
  noun: 'session',
  async locate(db, ids, caller) {
    const here = await locateSessions(db, ids, getVisiblePersonId(caller));
    const elsewhere = isAtConsole(caller) ? await locateElsewhere(db, ids, caller) : [];
    return [...new Set([...here, ...elsewhere])].map((id) => ({ id, brainId: null }));
  },
});

async function locateElsewhere(db: Db, ids: readonly string[], caller: Caller): Promise<string[]> {
  const identityId = await readIdentityId(db, caller.personId);
  return withPresentedHashes(db, [hashIdentity(identityId)], () => locateIdentitySessions(db, ids, identityId));
}

/** The person whose keys and sessions a caller sees; null: everybody's. */
export function getVisiblePersonId(caller: Caller): string | null {
  return caller.role === 'member' ? caller.personId : null;
}

export const workspaceId = itemId('workspace').describe('Id of the workspace, from `who_am_i`; it is always your own.');

export const personId = itemId('person').describe('Id of a person of the workspace, from `list_people`.');

/** People of a workspace know each other; a key of one brain knows no person. */
export const personResource = defineResource({
  kind: 'person',
  noun: 'person',
  async locate(db, ids, caller) {
    if (caller.reach !== 'owner') return [];
    return (await locatePeople(db, ids)).map((id) => ({ id, brainId: null }));
  },
});

export const invitationId = itemId('invitation').describe('Id of an invitation, from `list_people`.');

/** An invitation is visible to administrators of the workspace. */
export const invitationResource = defineResource({
  kind: 'invitation',
  noun: 'invitation',
  async locate(db, ids, caller) {
    if (caller.role === 'member' || caller.reach !== 'owner') return [];
    return (await locateInvitations(db, ids)).map((id) => ({ id, brainId: null }));
  },
});

export const ownWorkspaceId = itemId('own_workspace').describe('Id of one of your workspaces, from `list_workspaces`.');

/** A person at the console sees all their workspaces; any other caller sees the workspace of its credential. */
export const ownWorkspaceResource = defineResource({
  kind: 'own_workspace',
  noun: 'workspace',
  async locate(db, ids, caller) {
    const own = isAtConsole(caller) ? await listPersonWorkspaceIds(db, caller.personId) : [caller.workspaceId];
    return ids.filter((id) => own.includes(id)).map((id) => ({ id, brainId: null }));
  },
});

/** The workspaces of a person's identity. */
async function listPersonWorkspaceIds(db: Db, personId: string): Promise<string[]> {
  const identityId = await readIdentityId(db, personId);
  const people = await withPresentedHashes(db, [hashIdentity(identityId)], () => listPeopleByIdentity(db, identityId));
  return people.map(({ workspace_id }) => workspace_id);
}

/** A caller has exactly one workspace: its own. */
export const workspaceResource = defineResource({
  kind: 'workspace',
  noun: 'workspace',
  locate: async (_db, ids, caller) =>
    ids.filter((id) => id === caller.workspaceId).map((id) => ({ id, brainId: null })),
});
