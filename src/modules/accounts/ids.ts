import type { Caller } from '#kernel/caller';
import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateKeys } from './store/keys.ts';
import { locateSessions } from './store/sessions.ts';

export const keyId = idOf('key').describe('Id of a key, from `list_keys`.');

/** A key is seen by its person, and by who administers the workspace; a key of one brain sees itself. */
export const keyResource = defineResource({
  kind: 'key',
  noun: 'key',
  async locate(db, ids, caller) {
    const visible = caller.reach === 'owner' ? ids : ids.filter((id) => id === caller.id);
    if (!visible.length) return [];
    return (await locateKeys(db, visible, visibleTo(caller))).map((id) => ({ id, brainId: null }));
  },
});

export const sessionId = idOf('session').describe('Id of a session, from `list_sessions`.');

/** A session is seen by its person, and by who administers the workspace. */
export const signedInResource = defineResource({
  kind: 'session',
  noun: 'session',
  async locate(db, ids, caller) {
    return (await locateSessions(db, ids, visibleTo(caller))).map((id) => ({ id, brainId: null }));
  },
});

/** Whose keys and sessions a caller sees: null means everybody's. */
export function visibleTo(caller: Caller): string | null {
  return caller.role === 'member' ? caller.personId : null;
}

export const workspaceId = idOf('workspace').describe('Id of the workspace, from `who_am_i`; it is always your own.');

/** There is one workspace for a caller: their own. */
export const workspaceResource = defineResource({
  kind: 'workspace',
  noun: 'workspace',
  locate: async (_db, ids, caller) =>
    ids.filter((id) => id === caller.workspaceId).map((id) => ({ id, brainId: null })),
});
