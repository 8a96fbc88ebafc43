// Which permission sets a caller may know.
import { isAgent, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { findPermissionSets, findHolderSetId } from '../store/permission-sets.ts';

/**
 * Those of the ids that are permission sets the caller may know: any of the workspace, or for a key of one brain its
 * own.
 */
export async function filterVisibleSets(db: Db, ids: readonly string[], caller: Caller): Promise<string[]> {
  if (caller.reach === 'owner') return (await findPermissionSets(db, ids)).map(({ id }) => id);
  const own = isAgent(caller) ? await findHolderSetId(db, { kind: 'key', id: caller.id }) : undefined;
  return ids.filter((id) => id === own);
}
