// Installs end with what they made: a board, automation or workflow that was deleted leaves none behind.
import type { Db } from '#kernel/database';
import { listInstallsToCheck, removeInstalls } from '../store/uninstalled.ts';
import { findOwnerName, mapEntityNames, type InstalledEntity } from './entity-owners.ts';

/** Deletes the installs of what was deleted by hand, in one brain or, without it, in the workspace. */
export async function removeGhostInstalls(db: Db, brainId?: string): Promise<void> {
  const ghosts = await findGhosts(db, await listInstallsToCheck(db, brainId));
  await removeInstalls(
    db,
    ghosts.map(({ id }) => id),
  );
}

/** The installs whose board, automation or workflow was deleted. */
export async function findGhosts<Install extends InstalledEntity>(
  db: Db,
  installs: readonly Install[],
): Promise<Install[]> {
  const names = await mapEntityNames(db, installs);
  return installs.filter((install) => findOwnerName(install) !== null && !names.has(install.entity_id));
}
