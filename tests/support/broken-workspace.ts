import type { OwnerDatabase } from './owner-database.ts';
import { addWorkspace } from './second-workspace.ts';
import type { TestServer } from './server.ts';

/** Adds a workspace that is older than all others, and in which every use of these tables fails. */
export async function addBrokenWorkspace(
  server: TestServer,
  database: OwnerDatabase,
  tables: readonly string[],
): Promise<void> {
  const { workspaceId } = await addWorkspace(server);
  await database.rows(`update workspaces set created_at = '2020-01-01' where id = $1`, [workspaceId]);
  await database.rows(`
    create function whole_workspace() returns uuid stable language plpgsql as $$
    begin
      if current_workspace() = '${workspaceId}' then
        raise exception 'this workspace is broken';
      end if;
      return current_workspace();
    end $$`);
  for (const table of tables)
    await database.rows(`alter policy one_workspace on ${table} using (workspace_id = whole_workspace())`);
}
