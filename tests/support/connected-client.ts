import { newId } from '#platform/clock';
import { openAsOwner } from './owner-database.ts';
import { databaseOf, type ReachedServer } from './server.ts';

/** Adds a client as if the person whose key the server is reached with had allowed it in a browser. Answers its id. */
export async function addConnectedClient(server: ReachedServer, name: string): Promise<string> {
  const { person, workspace, home_brain_id } = await server.ok('who_am_i');
  const database = await openAsOwner(databaseOf(server));
  const id = newId();
  await database.rows(
    `insert into oauth_grants (id, workspace_id, person_id, client_id, client_name, scopes, resource, home_brain_id, reach,
      created_at, connected_at)
      values ($1::uuid, $2, $3, $1::uuid::text, $4, '{memory:read,memory:write,brains:read}', 'http://localhost/mcp', $5, 'owner', now(), now())`,
    [id, workspace.id, person.id, name, home_brain_id],
  );
  await database.close();
  return id;
}
