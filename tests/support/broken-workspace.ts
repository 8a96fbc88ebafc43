import type { OwnerDatabase } from './owner-database.ts';
import { addWorkspace } from './second-workspace.ts';
import type { TestServer } from './server.ts';

/** Adds a workspace that is older than all others, and in which every use of these tables fails. Answers its id. */
export async function addBrokenWorkspace(
  server: TestServer,
  database: OwnerDatabase,
  tables: readonly string[],
): Promise<string> {
  const { workspaceId } = await addWorkspace(server);
  await database.rows(`update workspaces set created_at = '2020-01-01' where id = $1`, [workspaceId]);
  await database.rows(`
    create sequence broken_visits;
    grant usage on sequence broken_visits to thalamus_app;
    create function whole_workspace() returns uuid stable language plpgsql as $$
    begin
      if current_workspace() = '${workspaceId}' then
        perform nextval('broken_visits'); -- which a rollback does not undo
        raise exception 'this workspace is broken';
      end if;
      return current_workspace();
    end $$`);
  for (const table of tables)
    await database.rows(`alter policy one_workspace on ${table} using (workspace_id = whole_workspace())`);
  return workspaceId;
}

/** Whether anything was looked for in the broken workspace. */
export async function wasBrokenVisited(database: OwnerDatabase): Promise<boolean> {
  const [row] = await database.rows('select is_called from broken_visits');
  return row?.['is_called'] === true;
}
