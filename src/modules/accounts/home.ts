import type { Db } from '#kernel/database';
import { seeingWorkspaces } from '#platform/database';
import { firstWorkspace } from './store/workspaces.ts';

/** The server's first workspace, which stores data without a workspace. Throws before the first start. */
export async function homeOf(db: Db): Promise<string> {
  const home = await seeingWorkspaces(db, () => firstWorkspace(db));
  if (!home) throw new Error('the server has no workspace');
  return home;
}
