// Installs end with what they made: a board, automation or workflow that was deleted leaves none behind.
import type { Db } from '#kernel/database';
import { listInstallsToCheck, removeInstalls } from '../store/uninstalled.ts';
import { findOwnerName, mapEntityNames } from './entity-owners.ts';

/** Deletes the installs of what was deleted by hand, in one brain or, without it, in the workspace. */
export async function removeGhostInstalls(db: Db, brainId?: string): Promise<void> {
  const installs = await listInstallsToCheck(db, brainId);
  const names = await mapEntityNames(db, installs);
  const ghosts = installs.filter((install) => findOwnerName(install) !== null && !names.has(install.entity_id));
  await removeInstalls(
    db,
    ghosts.map(({ id }) => id),
  );
}
