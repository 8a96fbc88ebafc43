import { createHash, randomUUID } from 'node:crypto';
import { ownerScopes } from '#kernel/scopes';
import type { OwnerDatabase } from './owner-database.ts';

/** Adds a member to the owner's workspace, with a personal brain. Answers the key of that member, who may do all. */
export async function addPerson(
  database: OwnerDatabase,
): Promise<{ key: string; personId: string; brainId: string; email: string }> {
  const [personId, brainId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
  const key = `cm_${keyId.replaceAll('-', '')}member`;
  const hash = createHash('sha256').update(key).digest('hex');
  const [workspace] = await database.rows('select id from workspaces order by created_at limit 1');
  const workspaceId = workspace?.['id'];
  await database.rows(
    `insert into people (id, workspace_id, email, name, role, created_at)
      values ($1, $2, $3, 'Grace', 'member', now())`,
    [personId, workspaceId, `${personId}@example.com`],
  );
  await database.rows(
    `insert into brains (id, workspace_id, name, personal_to, created_by, created_at)
      values ($1, $2, 'Grace''s Brain', $3, $3, now())`,
    [brainId, workspaceId, personId],
  );
  await database.rows(
    `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
      values ($1, $2, $3, 'owner', now())`,
    [brainId, personId, workspaceId],
  );
  await database.rows(
    `insert into keys (id, workspace_id, person_id, label, prefix, key_hash, scopes, home_brain_id, reach, created_at)
      values ($1, $2, $3, 'Grace', $4, $5, $6, $7, 'owner', now())`,
    [keyId, workspaceId, personId, key.slice(0, 9), hash, [...ownerScopes], brainId],
  );
  return { key, personId, brainId, email: `${personId}@example.com` };
}
