import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateMemories, locateSessions } from './store.ts';

export const memoryId = idOf('memory').describe('Id of a memory, from `search_memory` or `list_memories`.');
export const sessionId = idOf('memory_session').describe('From `load_brain`.');

/** A memory is seen by whoever may read its brain. */
export const memoryResource = defineResource({ kind: 'memory', noun: 'memory', locate: locateMemories });

/** A session belongs to the person who opened it, and to the brain whose members are told of it. */
export const sessionResource = defineResource({
  kind: 'memory_session',
  noun: 'session',
  locate: (db, ids, caller) => locateSessions(db, ids, caller.personId),
});
