import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateConnections } from './store/connections.ts';

export const connectionId = idOf('connection').describe('Id of a linked account, from `list_integrations`.');

/** A connection is its person's alone. */
export const connectionResource = defineResource({
  kind: 'connection',
  noun: 'connection',
  locate: (db, ids, caller) => locateConnections(db, ids, caller.personId),
});
