import { ownerScopes } from '#kernel/scopes';
import { newId } from '#platform/clock';
import { hashSecret } from '#platform/one-time-secrets';
import { openAsOwner } from './owner-database.ts';
import { getServerDatabase, type ReachedServer } from './server.ts';

/** Adds a client as if the person whose key the server is reached with had allowed it in a browser. Answers its id. */
export async function addConnectedClient(server: ReachedServer, name: string): Promise<string> {
  const { person, workspace, home_brain_id } = await server.ok('who_am_i');
  const database = await openAsOwner(getServerDatabase(server));
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

/** Gives a connected client all that a client may have. Answers an access token of it. */
export async function issueClientToken(server: ReachedServer, clientId: string): Promise<string> {
  const token = `to_${clientId.replaceAll('-', '')}`;
  const metadata = await server.request('/.well-known/oauth-protected-resource/mcp');
  const { resource } = (await metadata.json()) as { resource: string };
  const database = await openAsOwner(getServerDatabase(server));
  const granted = [clientId, [...ownerScopes], resource];
  await database.rows('update oauth_grants set scopes = $2, resource = $3 where id = $1', granted);
  await database.rows(
    `insert into oauth_tokens (token_hash, workspace_id, grant_id, kind, payload, created_at, expires_at)
      select $2, workspace_id, id, 'access', jsonb_build_object('scope', array_to_string(scopes, ' ')), now(),
        now() + interval '1 hour' from oauth_grants where id = $1`,
    [clientId, hashSecret(token)],
  );
  await database.close();
  return token;
}
