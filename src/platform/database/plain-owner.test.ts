import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { insertAnyRow } from '../../../tests/support/any-rows.ts';
import { isDeep } from '../../../tests/support/depth.ts';
import { administer } from '../../../tests/support/postgres.ts';

const folder = join(import.meta.dirname, '../../../migrations');
const workspaceId = '00000000-0000-7000-8000-000000000001';
const personId = '00000000-0000-7000-8000-000000000002';

/** Rows of tables whose columns depend on each other. */
const byHand: Readonly<Record<string, string>> = {
  approvers: `select gen_random_uuid(), a.workspace_id, a.id, b.id, null, null, null, now(), null
    from people a join people b on b.id > a.id limit 1`,
  skill_assignments: `select gen_random_uuid(), skills.workspace_id, skills.id, brains.id, null, true, people.id, now()
    from skills, brains, people limit 1`,
  variables: `select gen_random_uuid(), workspace_id, 'org', workspace_id, null, null, null, null, 'NAME', 'value', 'handle', '', '{}', '{}',
    id, '', now(), now() from people limit 1`,
};

/** Rows as they were before certain migrations. */
const older: Readonly<Record<string, string>> = {
  '0144': `update automations set overlap = 'skip', triggers = '[{"kind": "webhook"}]', updated_at = '2026-01-01'`,
  '0146': `update webhook_events set delivery_id = 'of before', outcome = 'translated'`,
  '0158': `update output_destinations set kind = 'feed'`,
};

afterEach(async () => {
  await administer(inject('postgres'), 'drop database if exists of_plain_owner with (force)');
  await administer(inject('postgres'), 'drop role if exists plain_owner');
});

test('every migration upgrades a database with rows in all tables whose owner is not a superuser, as in managed PostgreSQL', async () => {
  const cluster = inject('postgres');
  await administer(cluster, 'create role plain_owner login createrole');
  await administer(cluster, 'grant thalamus_app to plain_owner with admin option');
  await administer(cluster, 'create database of_plain_owner owner plain_owner');
  const client = new Client({ ...cluster, user: 'plain_owner', database: 'of_plain_owner' });
  const superuser = new Client({ ...cluster, database: 'of_plain_owner' });
  await Promise.all([client.connect(), superuser.connect()]);
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  try {
    let before = new Map<string, number>();
    let whyEmpty: string[] = [];
    const blind: string[] = [];
    for (const [index, file] of migrations.entries()) {
      if (file.startsWith('0032')) await client.query(described);
      await superuser.query(older[file.slice(0, 4)] ?? 'select');
      if (needsHiddenRows(file, await listProtected(superuser))) blind.push(file.slice(0, 4));
      await client.query(`begin; ${readFileSync(join(folder, file), 'utf8')}; commit`).catch((cause: unknown) => {
        throw new Error(`${file} fails where there is data`, { cause });
      });
      const after = await countRows(superuser);
      for (const [table, count] of before)
        if (after.has(table)) expect(after.get(table), `${file}: ${table}`).toBeGreaterThanOrEqual(count);
      whyEmpty = await fill(superuser, after, index);
      before = await countRows(superuser);
    }
    expect(whyEmpty).toEqual([]);
    // These changed no row where the owner is not a superuser, and 0195 repeats them. A later migration must first lift
    // row level security from the table, as 0195 does.
    expect(blind).toEqual(['0144', '0146', '0158']);
    const { rows: repeated } = await superuser.query(
      `select (select count(*)::int from automations where overlap = 'skip' and triggers @> '[{"kind": "webhook"}]') as skipping,
        (select count(*)::int from webhook_events where delivery_id = 'of before') as deliveries,
        (select count(*)::int from webhook_events where delivery_key = 'of before') as keys,
        (select count(*)::int from output_destinations where kind = 'feed' and max_per_minute is not null) as paced`,
    );
    expect(repeated).toEqual([{ skipping: 0, deliveries: 1, keys: 1, paced: 0 }]);
    await client.query(`begin; select set_config('thalamus.workspace_id', '${workspaceId}', true)`);
    const { rows } = await client.query(
      `select configured_at = updated_at as is_told from provider_configs where provider = 'google'`,
    );
    expect(rows).toEqual([{ is_told: true }]);
    // People from before identities existed each have their own identity. Their address is verified when they next sign
    // in with it.
    const { rows: people } = await superuser.query(
      'select p.id, i.name = p.name as is_theirs from people p join identities i on i.id = p.identity_id where p.id = $1',
      [personId],
    );
    expect(people).toEqual([{ id: personId, is_theirs: true }]);
  } finally {
    await Promise.all([client.end(), superuser.end()]);
  }
});

/** Whether a migration changes or copies rows of a protected table, from which it did not lift row level security. */
function needsHiddenRows(file: string, protectedTables: readonly string[]): boolean {
  const text = readFileSync(join(folder, file), 'utf8').replaceAll(/--.*$/gm, '');
  // The body of a function runs later, in the transaction of a call; a block runs now.
  const ofNow = text.replaceAll(/create (or replace )?(function|procedure)[\s\S]*?\$\$[\s\S]*?\$\$/gi, '');
  const changes = [...ofNow.matchAll(/^\s*(?:update|delete from|insert into|with)\b[^;]*/gim)].map(
    ([change]) => change,
  );
  const named = changes.flatMap((change) =>
    [...change.matchAll(/\b(?:update|from|into|join)\s+(\w+)/gi)].map(([, table]) => table!),
  );
  const isLifted = (table: string) => ofNow.includes(`alter table ${table} no force row level security`);
  return named.some((table) => protectedTables.includes(table) && !isLifted(table));
}

async function listProtected(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  );
  return rows.map(({ name }) => name);
}

async function countRows(client: Client): Promise<Map<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  if (!tables.length) return new Map();
  const { rows } = await client.query<{ name: string; count: number }>(
    tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`).join(' union all '),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/**
 * Adds a row to each table without rows (in deep runs, one more to every table), as long as new rows allow further
 * ones. Returns the tables that stay empty, and why.
 */
async function fill(client: Client, counts: ReadonlyMap<string, number>, step: number): Promise<string[]> {
  let open = [...counts].filter(([, count]) => isDeep || count === 0).map(([table]) => ({ table, why: '' }));
  await client.query('begin');
  for (let left = open.length + 1; open.length < left;) {
    left = open.length;
    const still: typeof open = [];
    for (const [index, { table }] of open.entries()) {
      const why = byHand[table]
        ? await insertByHand(client, table, byHand[table])
        : await insertAnyRow(client, table, 1_000 + step * 200 + index);
      if (why !== null) still.push({ table, why });
    }
    open = still;
  }
  await client.query('commit');
  return open.filter(({ table }) => !counts.get(table)).map(({ table, why }) => `${table}: ${why}`);
}

async function insertByHand(client: Client, table: string, rows: string): Promise<string | null> {
  const { rowCount } = await client.query(`insert into ${table} ${rows} on conflict do nothing`);
  return rowCount ? null : 'what it points to is missing';
}

/** A workspace with an OAuth client, in the schema of migration 0031. */
const described = `
  begin;
  select set_config('thalamus.workspace_id', '${workspaceId}', true);
  insert into workspaces (id, name, created_at) values ('${workspaceId}', 'w', now());
  insert into people (id, workspace_id, name, email, role, created_at)
    values ('${personId}', '${workspaceId}', 'p', 'p@example.com', 'owner', now());
  insert into provider_configs (workspace_id, provider, client_id, client_secret, updated_by, updated_at)
    values ('${workspaceId}', 'google', 'id', 'local:v1:x:y', '${personId}', now());
  commit`;
