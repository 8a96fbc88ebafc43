import type { Caller } from '#kernel/caller';
import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateKeys } from './store/keys.ts';

export const keyId = idOf('key').describe('Id of a key, from `list_keys`.');

/** A key is seen by its person, and by who administers the workspace. */
export const keyResource = defineResource({
  kind: 'key',
  noun: 'key',
  async locate(db, ids, caller) {
    return (await locateKeys(db, ids, visibleTo(caller))).map((id) => ({ id, brainId: null }));
  },
});

/** Whose keys a caller sees: null means everybody's. */
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
