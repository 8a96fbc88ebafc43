import { expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAppPool, createTransactions, createKysely } from '#platform/database';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { hashSecret, presentSecret, generateSecret, useSecret } from './index.ts';

const folder = join(import.meta.dirname, '../../../migrations');
const files = readdirSync(folder).toSorted();
const upgrade = files.findIndex((file) => file.startsWith('0050-'));

test('links and codes from before the upgrade work after it, once', async () => {
  const database = await createTestDatabase('template0');
  const owner = await openAsOwner(database.connectionString);
  const apply = (names: string[]) =>
    owner.rows(names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'));
  await apply(files.slice(0, upgrade));
  const [workspaceId, personId, signIn, link, bot, phone] = Array.from({ length: 6 }, () => randomUUID());
  const [signInToken, linkToken, code] = [generateSecret('tl'), generateSecret('sv'), generateSecret('tg')];
  await owner.rows(`
    insert into workspaces (id, name, created_at) values ('${workspaceId}', 'W', now());
    insert into people (id, workspace_id, email, name, role, created_at)
      values ('${personId}', '${workspaceId}', 'ada@example.com', 'Ada', 'owner', now());
    insert into sign_in_links (id, workspace_id, person_id, token_hash, is_human_surface, mailed, created_at, expires_at)
      values ('${signIn}', '${workspaceId}', '${personId}', '${hashSecret(signInToken)}', true, false, now(), now() + interval '1 hour');
    insert into variable_links (id, workspace_id, token_hash, scope, scope_id, label, fields, created_by, created_by_label, created_at,
      expires_at, used_at)
      values ('${link}', '${workspaceId}', '${hashSecret(linkToken)}', 'person', '${personId}', '', '[]', '${personId}', 'Ada', now(),
        now() + interval '1 hour', now());
    insert into connections (id, workspace_id, person_id, provider, account_id, account, known_as, scopes, status, connected_at, updated_at)
      values ('${bot}', '${workspaceId}', '${personId}', 'telegram', '1', '@bot', '@bot', '{}', 'active', now(), now());
    insert into telegram_links (id, workspace_id, connection_id, person_id, code_hash, code_expires_at, created_at)
      values ('${phone}', '${workspaceId}', '${bot}', '${personId}', '${hashSecret(code)}', now() + interval '1 hour', now())`);
  await apply(files.slice(upgrade, upgrade + 1));

  const pool = createAppPool(database.connection, 1);
  const db = createKysely<unknown>(pool);
  const use = (purpose: string, secret: string, boundTo?: string) =>
    createTransactions(db).run(workspaceId ?? '', 'write', (bound) =>
      useSecret(bound, purpose, { secret, at: new Date(), ...(boundTo && { boundTo }) }),
    );
  expect(await use('sign_in_link', signInToken)).toBe(signIn);
  expect(await use('sign_in_link', signInToken)).toBeUndefined();
  expect(await presentSecret(db, 'variable_link', linkToken)).toMatchObject({
    subjectId: link,
    usedAt: expect.any(Date),
  });
  expect(await use('telegram_code', code)).toBeUndefined();
  expect(await use('telegram_code', code, bot)).toBe(phone);
  await pool.end();
  await owner.close();
  await database.drop();
});
