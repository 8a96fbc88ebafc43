import type { Db } from '#kernel/database';
import { withVisibleWorkspaces } from '#platform/database';
import { findFirstWorkspaceId } from '../store/workspaces.ts';

/** The server's first workspace, which stores the data without a workspace. Throws before the first start. */
export async function readHomeWorkspaceId(db: Db): Promise<string> {
  const home = await withVisibleWorkspaces(db, () => findFirstWorkspaceId(db));
  if (!home) throw new Error('the server has no workspace');
  return home;
}
