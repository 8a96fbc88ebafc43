import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateMerges } from './store/changes.ts';
import { locateMemories } from './store/memories.ts';
import { locateSessions } from './store/sessions.ts';

export const memoryId = itemId('memory').describe('Id of a memory, from `search_memory` or `list_memories`.');
export const sessionId = itemId('memory_session').describe('From `load_brain`.');

export const mergeId = itemId('memory_merge').describe('From `merge_memories`, or the changes in `get_memory`.');

/** A memory is visible to everybody who may read its brain. */
export const memoryResource = defineResource({ kind: 'memory', noun: 'memory', locate: locateMemories });

/** A session is visible to the person who opened it, and to members of a brain that shares it. */
export const sessionResource = defineResource({
  kind: 'memory_session',
  noun: 'session',
  locate: (db, ids, caller) => locateSessions(db, ids, caller.personId),
});

/** A merge is visible to everybody who may read its brain. */
export const mergeResource = defineResource({ kind: 'memory_merge', noun: 'merge', locate: locateMerges });
