import type { Db } from '#kernel/database';
import { getRecoveryLimit } from '#kernel/recovery';
import { withVisibleUninstalled } from '#platform/database';
import { removeGhostInstalls } from './remove-ghosts.ts';
import { removeInstallsUninstalledBefore } from '../store/uninstalled.ts';

/** Deletes installs that can no longer be recovered, and those of what was deleted by hand. The owners of boards, automations and workflows delete those. */
export async function purgeInstalls(db: Db, at: Date): Promise<void> {
  await withVisibleUninstalled(db, () => removeInstallsUninstalledBefore(db, getRecoveryLimit(at)));
  await removeGhostInstalls(db);
}
