import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { administer } from '../../../tests/support/postgres.ts';

const folder = join(import.meta.dirname, '../../../migrations');
const workspaceId = '00000000-0000-7000-8000-000000000001';
const personId = '00000000-0000-7000-8000-000000000002';

afterEach(async () => {
  await administer(inject('postgres'), 'drop database if exists of_plain_owner with (force)');
  await administer(inject('postgres'), 'drop role if exists plain_owner');
});

test('migrations change what is stored where the owner of the database is no superuser, as managed PostgreSQL has it', async () => {
  const cluster = inject('postgres');
  await administer(cluster, 'create role plain_owner login createrole');
  await administer(cluster, 'grant thalamus_app to plain_owner with admin option');
  await administer(cluster, 'create database of_plain_owner owner plain_owner');
  const client = new Client({ ...cluster, user: 'plain_owner', database: 'of_plain_owner' });
  await client.connect();
  try {
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()) {
      if (file.startsWith('0032')) await client.query(described);
      await client.query(`begin; ${readFileSync(join(folder, file), 'utf8')}; commit`);
    }
    await client.query(`begin; select set_config('thalamus.workspace_id', '${workspaceId}', true)`);
    const { rows } = await client.query('select configured_at = updated_at as is_told from provider_configs');
    expect(rows).toEqual([{ is_told: true }]);
  } finally {
    await client.end();
  }
});

/** A workspace with an OAuth client, as 0031 has it. */
const described = `
  begin;
  select set_config('thalamus.workspace_id', '${workspaceId}', true);
  insert into workspaces (id, name, created_at) values ('${workspaceId}', 'w', now());
  insert into people (id, workspace_id, name, email, role, created_at)
    values ('${personId}', '${workspaceId}', 'p', 'p@example.com', 'owner', now());
  insert into provider_configs (workspace_id, provider, client_id, client_secret, updated_by, updated_at)
    values ('${workspaceId}', 'google', 'id', 'local:v1:x:y', '${personId}', now());
  commit`;
