import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import type { FindAccountHolders } from './holders.ts';
import { listConnections } from './store/connections.ts';

export const connectionId = itemId('connection').describe('Id of a linked account, from `list_connections`.');

/** A caller sees the connections in their credential chain. */
export function createConnectionResource(findHolders: FindAccountHolders) {
  return defineResource({
    kind: 'connection',
    noun: 'connection',
    async locate(db, ids, caller) {
      const rows = await listConnections(db, await findHolders(db, caller), { ids });
      return rows.map(({ id }) => ({ id, brainId: null }));
    },
  });
}
