import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateConnections } from './store/connections.ts';

export const connectionId = idOf('connection').describe('Id of a linked account, from `list_connections`.');

/** A connection is seen by its person, and by everybody when it is the workspace's. */
export const connectionResource = defineResource({
  kind: 'connection',
  noun: 'connection',
  locate: (db, ids, caller) => locateConnections(db, ids, caller.personId),
});
