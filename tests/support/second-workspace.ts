import { createHash, randomUUID } from 'node:crypto';
import { ownerScopes } from '#kernel/scopes';
import { Client } from 'pg';
import type { TestServer } from './server.ts';

/** Adds a workspace of other people to a server. Answers the key of its owner and the id of the owner's brain. */
export async function addWorkspace(server: TestServer): Promise<{ workspaceId: string; key: string; brainId: string }> {
  const [workspaceId, person, brainId, keyId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const key = `cm_${keyId.replaceAll('-', '')}${'other'.repeat(2)}`;
  const hash = createHash('sha256').update(key).digest('hex');
  const client = new Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query(`insert into workspaces (id, name, created_at) values ($1, 'Others', now())`, [workspaceId]);
    await client.query(
      `insert into people (id, workspace_id, email, name, role, created_at)
        values ($1, $2, 'mallory@others.example', 'Mallory', 'owner', now())`,
      [person, workspaceId],
    );
    await client.query(
      `insert into brains (id, workspace_id, name, personal_to, created_by, created_at)
        values ($1, $2, 'Mallory''s Brain', $3, $3, now())`,
      [brainId, workspaceId, person],
    );
    await client.query(
      `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
        values ($1, $2, $3, 'owner', now())`,
      [brainId, person, workspaceId],
    );
    await client.query(
      `insert into keys (id, workspace_id, person_id, label, prefix, key_hash, scopes, home_brain_id, reach, created_at)
        values ($1, $2, $3, 'Others', $4, $5, $6, $7, 'owner', now())`,
      [keyId, workspaceId, person, key.slice(0, 9), hash, [...ownerScopes], brainId],
    );
    return { workspaceId, key, brainId };
  } finally {
    await client.end();
  }
}
