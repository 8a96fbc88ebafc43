import type { Caller } from '#kernel/caller';
import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateGrants } from './store/grants.ts';

export const connectedClientId = itemId('connected_client').describe(
  'Id of a connected client, from `list_connected_clients`.',
);

/** A connected client is visible to its person, and to administrators of the workspace. */
export const connectedClientResource = defineResource({
  kind: 'connected_client',
  noun: 'connected client',
  async locate(db, ids, caller) {
    return (await locateGrants(db, ids, getVisibleClientOwner(caller))).map((id) => ({ id, brainId: null }));
  },
});

/** The person whose clients a caller sees; null: everybody's. */
export function getVisibleClientOwner({ role, personId }: Caller): string | null {
  return role === 'member' ? personId : null;
}
