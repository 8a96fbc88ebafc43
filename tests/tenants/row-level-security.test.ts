import { randomUUID } from 'node:crypto';
import { exampleId } from '#kernel/examples';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { serverAt } from '../support/server.ts';
import { createWorld, type Kind } from '../support/world.ts';

/** Tables of `public` without a workspace, and why that is so. */
const withoutWorkspace: Record<string, string> = {
  kysely_migration: 'Which migrations ran; written before there is a workspace.',
  kysely_migration_lock: 'Held while migrations run.',
};

/** Clients ask and register before it is known whose workspace it is for: a row is visible by its hash alone. */
const ofClients = ['oauth_requests', 'oauth_clients'];

/** Tables of identities, which stand above workspaces: each row is seen by whoever presents its hash, and by nobody else. */
const ofIdentities = ['identities', 'identity_addresses', 'authenticators', 'recovery_codes'];

/** Seen by whoever presents the hash of whom they count, which is nobody's row. */
const bySubject = ['sign_in_attempts'];

/** The column that says whose a row is; `workspace_id` everywhere else. */
const ownColumn = (table: string) => (table === 'workspaces' ? 'id' : 'workspace_id');

const kinds: Kind[] = [
  'brain',
  'member',
  'core_knowledge',
  'skill',
  'suggestion',
  'memory',
  'other_memory',
  'memory_merge',
  'memory_session',
  'page',
  'draft',
  'approver',
  'sync',
  'key',
  'permission_set',
  'automation_run',
  'board',
];

let database: OwnerDatabase;
let app: Client;
let close: () => Promise<void>;
let mine: string;
let others: string;
let tables: string[];

beforeAll(async () => {
  const { server, google, close: closeServer } = await startServerWithGoogle();
  database = await openAsOwner(server.connectionString);
  const { key, workspaceId } = await addWorkspace(server);
  others = workspaceId;
  mine = String((await database.rows('select id from workspaces where id <> $1', [others]))[0]?.['id']);
  for (const [each, email] of [
    [server, 'ada@example.com'],
    [serverAt(server.url, key), 'mallory@example.com'],
  ] as const) {
    const world = createWorld(each, google, email);
    for (const kind of kinds) await world.make(kind);
    await each.ok('configure_oauth_provider', { provider: 'google', client_id: 'id', client_secret: 'secret' });
    await each.call('create_brain', { name: 'Kept' }, { headers: { 'idempotency-key': 'kept' } });
    await each.ok('assign_skill', await world.real({ skill_id: exampleId('skill'), brain_id: exampleId('brain') }));
    const assigned = { permission_set_id: exampleId('permission_set'), caller: exampleId('key') };
    await each.ok('assign_permission_set', await world.real(assigned));
    await each.ok('set_variable', { var_scope: 'org', var_name: 'TOKEN', value: 'secret' });
    const { brain_id } = await each.ok('create_brain', { name: 'Gone' });
    await each.ok('delete_brain', { brain_id, confirm: 'Gone Brain' });
  }
  await fillTheRest();
  tables = (
    await database.rows(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
  )
    .map(({ relname }) => String(relname))
    .filter((table) => !(table in withoutWorkspace) && ![...ofIdentities, ...bySubject, ...ofClients].includes(table));
  app = new Client({ connectionString: server.connectionString, options: '-c role=thalamus_app' });
  await app.connect();
  close = async () => {
    await app.end();
    await database.close();
    await closeServer();
  };
});
afterAll(() => close());

/** Rows that come about only in ways no operation has here, or beside the calls: an unfinished consent, a changed page, vectors. */
async function fillTheRest(): Promise<void> {
  await database.rows(`
    insert into oauth_grants (id, workspace_id, person_id, client_id, client_name, scopes, resource, home_brain_id, reach, created_at)
    select id, workspace_id, id, 'c', 'Client', '{}', 'r', id, 'owner', now() from people;
    insert into oauth_tokens (token_hash, workspace_id, grant_id, kind, payload, created_at, expires_at)
    select id::text, workspace_id, id, 'access', '{}', now(), now() + interval '1 hour' from oauth_grants;
    insert into oauth_grant_places select id, workspace_id, 'elsewhere', now() from oauth_grants;
    insert into one_time_secrets (subject_id, workspace_id, purpose, secret_hash, created_at, expires_at)
    select id, workspace_id, 'consent', id::text, now(), now() + interval '1 hour' from people;
    insert into consents (id, workspace_id, kind, sealed) select id, workspace_id, 'account', 'sealed' from people;
    insert into pending_sign_ins select id, workspace_id, id, 'mail' from people`);
  await database.rows(`
    insert into invitations (id, workspace_id, email, role, invited_by, created_at)
    select gen_random_uuid(), workspace_id, 'invited@example.com', 'member', id, now() from people where role = 'owner'
    on conflict do nothing;
    insert into identity_addresses (email, identity_id, proved_at) select email, identity_id, now() from people where role = 'owner';
    insert into authenticators (id, identity_id, kind, label, data, created_at)
    select identity_id, identity_id, 'totp', 'App', '{}', now() from people where role = 'owner';
    insert into totp_secrets select identity_id, workspace_id, 'sealed' from people where role = 'owner';
    insert into recovery_codes select identity_id, 'hash', null from people where role = 'owner';
    insert into key_places select id, workspace_id, 'elsewhere', now() from keys`);
  await database.rows(`
    insert into page_versions (page_id, workspace_id, version, title, body, frontmatter, created_at)
    select id, workspace_id, 99, title, body, frontmatter, now() from pages`);
  await database.rows(`
    insert into variable_links (id, workspace_id, scope, scope_id, label, fields, created_by, created_by_label, created_at)
    select id, workspace_id, 'person', id, '', '[]', id, name, now() from people`);
  await database.rows(
    `insert into embedding_runs (workspace_id, space, started_at) select id, 'm/2', now() from workspaces`,
  );
  await database.rows(`
    insert into embedding_queue (item_id, workspace_id, text_hash, queued_at, not_before)
    select id, workspace_id, '', now(), now() from memories`);
  await database.rows(`
    insert into embeddings (item_id, part, workspace_id, brain_id, space, text_hash, code)
    select id, 0, workspace_id, brain_id, 'm/2', '', '\\x7f00' from memories`);
  await database.rows(`
    insert into memory_versions
    select id, 1, workspace_id, content, type, salience, topics, triggers, now(), 'somebody' from memories;
    insert into memory_trigger_words
    select id, 0, 0, 'word', workspace_id, brain_id, '{word}', 1 from memories on conflict do nothing;
    insert into memory_recalls select id, workspace_id, 1, now() from memories on conflict do nothing;
    insert into memory_recall_days select id, current_date, workspace_id, 1 from brains on conflict do nothing;
    insert into session_recalls
    select one.id, memory.id, one.workspace_id, now()
      from memory_sessions one join memories memory on memory.brain_id = one.brain_id on conflict do nothing;
    insert into memory_gatherings select id, workspace_id, now(), 1 from brains on conflict do nothing;
    insert into memory_constellations select id, workspace_id, id, name, '{topic}', 1, now() from brains;
    insert into memory_constellation_members select id, brain_id, workspace_id from memories`);
  await database.rows(`
    insert into held_files
    select id, 0, workspace_id, 'x', 'a/b', size, sha256 from attachment_contents where sha256 is not null`);
  await database.rows(`
    insert into item_locations select id, workspace_id, 'met', '', 'gmail:ada:1', now() from syncs;
    insert into item_locations select id, workspace_id, 'moved', 'inbox', 'outlook_mail:ada:1' from syncs`);
  await database.rows(
    `insert into inbox_acks select id, person_id, workspace_id, 'auto', now() from drafts on conflict do nothing`,
  );
  await database.rows(
    `insert into policies select id, 1, '[]', '[]', (select id from people p where p.workspace_id = workspaces.id limit 1), now() from workspaces`,
  );
  await database.rows(`
    insert into notification_choices select id, workspace_id, 'off', now() from people on conflict do nothing;
    insert into draft_mails (draft_id, person_id, about, workspace_id, created_at, due_at)
    select id, person_id, 'waiting', workspace_id, now(), now() from drafts`);
  await database.rows(`
    insert into ledger_keys select id, 'sealed' from workspaces on conflict do nothing;
    insert into ledger_seals select id, 999, now(), 0, '', '', '' from workspaces`);
  await database.rows(`
    insert into secrets_to_forget (workspace_id, in_table, in_row, in_column, sealed, is_whole)
    select id, 'variables', id::text, 'value', 'vault:', true from workspaces`);
  await database.rows(`
    insert into telegram_bots (connection_id, workspace_id, status, next_at, created_at)
    select id, workspace_id, 'ended', now(), now() from connections;
    insert into telegram_links (id, workspace_id, connection_id, person_id, created_at)
    select id, workspace_id, id, person_id, now() from connections;
    insert into telegram_memories (memory_id, workspace_id, link_id, message_id, stored_at)
    select memory.id, memory.workspace_id, link.id, 1, now()
      from memories memory join telegram_links link on link.workspace_id = memory.workspace_id on conflict do nothing;
    insert into telegram_replies (id, workspace_id, connection_id, chat_id, html, created_at)
    select id, workspace_id, id, 1, '', now() from connections;
    insert into telegram_prompts (draft_id, workspace_id, connection_id, link_id, chat_id, buttons, expires_at, created_at)
    select draft.id, draft.workspace_id, link.connection_id, link.id, 1, '{}', now(), now()
      from drafts draft join telegram_links link on link.workspace_id = draft.workspace_id on conflict do nothing;
    insert into telegram_strangers (connection_id, chat_id, workspace_id, told_at)
    select id, 1, workspace_id, now() from connections`);
  await database.rows(`
    insert into automation_http_fetch_hosts select id, workspace_id, 'example.com' from automations;
    insert into board_rows
    select gen_random_uuid(), workspace_id, board_id, name, '{}', 'Ada', now() from board_datasets;
    insert into automation_kv select id, workspace_id, 'cursor', '1', now() from automations;
    insert into automation_changes (id, workspace_id, automation_id, fields, status, created_by_label, created_at)
    select id, workspace_id, id, '{}', 'pending', 'Agent', now() from automations;
    insert into automation_fixtures select id, workspace_id, id, 'Usual', 'manual', 'null', now(), '[]', 'Ada', now() from automations;
    insert into automation_passes select id, workspace_id, 'hash', now() from automations;
    insert into run_secrets
    select id, workspace_id, id, 'sec_' || id, 'sealed', '{}', '{}', now() from automations`);
  await database.rows(`
    insert into archive_imports (id, workspace_id, person_id, sha256, lines, shift, created_at)
    select id, workspace_id, id, 'hash', 3, 1, now() from people;
    insert into archive_lines select id, 1, workspace_id, 'memory', 1, '{}' from archive_imports`);
  await database.rows(`
    insert into blobs select id, '\\x00', 1, now() from workspaces;
    insert into documents (id, workspace_id, brain_id, title, mime_type, format, sha256, size, characters, lines, passages, created_by, created_at)
    select id, workspace_id, id, 'Report', 'text/plain', 'txt', '\\x00', 1, 1, 1, 1, 'Ada', now() from brains;
    insert into document_constellations select id, workspace_id, id, 0, 'Gears', '{gears}', '[]', 1 from documents;
    insert into document_passages select id, 0, workspace_id, id, 'Gears', 1, 1, false from documents;
    insert into document_reads
    select gen_random_uuid(), d.workspace_id, d.id, p.id, 1, 1, now()
      from documents d join people p on p.workspace_id = d.workspace_id;
    insert into document_lessons
    select gen_random_uuid(), d.workspace_id, d.id, m.id, 1, 1, 'Which?', 'That.', now()
      from documents d join memories m on m.brain_id = d.brain_id;
    insert into training_pairs select id, 0, workspace_id, brain_id, '[]', 'That.', null, now() from documents`);
  await database.rows(`
    insert into connectors select id, workspace_id, id, 'Make', 'make', 'shared', (select b.id from brains b where b.workspace_id = people.workspace_id limit 1), '{}', now(), now() from people;
    insert into webhook_tokens select id, workspace_id, id::text, 'zwh_', now() from connectors;
    insert into connector_routes select id, workspace_id, id, 'sender', 'ada', brain_id, now() from connectors;
    insert into routing_reviews (id, workspace_id, memory_id, method, confidence, candidates, created_at)
    select id, workspace_id, id, 'content', 0.1, '[]', now() from memories;
    insert into routing_lessons (id, workspace_id, brain_id, stems, created_at)
    select id, workspace_id, id, '{gear}', now() from brains;
    insert into chat_sessions (id, workspace_id, person_id, brain_id, session_id, client, title, summary, titled_by, started_at, last_turn_at)
    select id, workspace_id, person_id, brain_id, 's1', 'claude', 'Gears', '', 'rules', now(), now() from connectors;
    insert into chat_turns select id, 0, workspace_id, 'user', 'Hello', now() from chat_sessions;
    insert into chat_capture_stops select id, workspace_id, now() from people;
    insert into client_devices
    select id, workspace_id, id, 'host', 'claude', 'cli', null, null, '[]', now(), now() from people`);
  await database.rows(`
    insert into llm_usage (id, workspace_id, person_id, tag, provider, model, request_id, started_at)
    select gen_random_uuid(), workspace_id, id, 'telegram', 'groq', 'm', 'r', now() from people`);
}

/** Runs statements as the application does: bound to a workspace, in a transaction that leaves nothing behind. */
async function bound<T>(workspaceId: string | null, work: () => Promise<T>): Promise<T> {
  await app.query('begin');
  try {
    if (workspaceId) await app.query(`select set_config('thalamus.workspace_id', $1, true)`, [workspaceId]);
    return await work();
  } finally {
    await app.query('rollback');
  }
}

async function ownersIn(table: string): Promise<string[]> {
  const { rows } = await app.query<{ owner: string }>(`select distinct ${ownColumn(table)} as owner from ${table}`);
  return rows.map(({ owner }) => owner);
}

test('every table has row level security that binds its owner too', async () => {
  const loose = await database.rows(`
    select relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not (relrowsecurity and relforcerowsecurity)`);
  expect(loose.map(({ relname }) => relname).toSorted()).toEqual(Object.keys(withoutWorkspace).toSorted());
});

test('every table names the workspace of each row, and has a policy for it', async () => {
  for (const table of tables) {
    const columns = await database.rows(
      `select is_nullable from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2`,
      [table, ownColumn(table)],
    );
    expect(columns, table).toEqual([{ is_nullable: 'NO' }]);
    const policies = await database.rows(`select policyname from pg_policies where tablename = $1 and cmd = 'ALL'`, [
      table,
    ]);
    expect(policies, table).toEqual([{ policyname: 'one_workspace' }]);
  }
});

test('a view reads with the rights of who asks', async () => {
  const views = await database.rows(`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
      and not coalesce(reloptions @> array['security_invoker=true'] or reloptions @> array['security_invoker=on'], false)`);
  expect(views).toEqual([]);
});

test('the role of the application owns nothing, and cannot get around it', async () => {
  const role = await database.rows(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles where rolname = 'thalamus_app'`,
  );
  expect(role).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcanlogin: false }]);
  const owned = await database.rows(
    `select relname from pg_class join pg_roles on pg_roles.oid = relowner where rolname = 'thalamus_app'`,
  );
  expect(owned).toEqual([]);
});

describe('as the application', () => {
  test('a workspace sees rows of its own in every table, and no other row', async () => {
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      const there = await database.rows(`select distinct ${ownColumn(table)} as owner from ${table}`);
      expect(there.map(({ owner }) => owner).toSorted(), `${table} has rows of both`).toEqual(
        [mine, others].toSorted(),
      );
      expect(await bound(mine, () => ownersIn(table)), table).toEqual([mine]);
      expect(await bound(others, () => ownersIn(table)), table).toEqual([others]);
    }
    for (const workspace of [mine, others])
      expect(await bound(workspace, () => ownersIn('searchable'))).toEqual([workspace]);
  });

  test('without a workspace no row is seen', async () => {
    for (const table of [...tables, 'searchable']) {
      expect(await bound(null, () => ownersIn(table)), table).toEqual([]);
      expect(await bound(randomUUID(), () => ownersIn(table)), table).toEqual([]);
    }
  });

  async function storedColumns(table: string): Promise<string> {
    const [row] = await database.rows(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    return String(row?.['columns']);
  }

  test('no row can be put into another workspace, nor moved there', async () => {
    for (const table of tables) {
      const column = ownColumn(table);
      // A copy of a row has every column that is not computed, so that nothing but row level security can be in its way.
      const columns = await storedColumns(table);
      const copied = `select (jsonb_populate_record(t, jsonb_build_object('${column}', $1::text))).* from ${table} t limit 1`;
      const copy = () =>
        app.query(`insert into ${table} (${columns}) select ${columns} from (${copied}) copy`, [others]);
      const move = () => app.query(`update ${table} set ${column} = $1`, [others]);
      await expect(bound(mine, copy), table).rejects.toThrow(/violates row-level security policy/);
      await expect(bound(mine, move), table).rejects.toThrow(/row-level security|permission denied/);
    }
  });

  test('no row of another workspace can be changed or deleted', async () => {
    for (const table of tables) {
      const column = ownColumn(table);
      for (const statement of [
        `delete from ${table} where ${column} = $1`,
        `update ${table} set ${column} = ${column} where ${column} = $1`,
      ]) {
        const outcome = await bound(mine, () => app.query(statement, [others])).catch((error: Error) => error.message);
        expect(typeof outcome === 'string' ? outcome : outcome.rowCount, `${table}: ${statement}`).toSatisfy(
          (seen: unknown) => seen === 0 || /permission denied/.test(String(seen)),
        );
      }
    }
  });

  test('the record and the ledger can be added to alone', async () => {
    for (const table of ['audit_log', 'draft_ledger', 'ledger_seals', 'ledger_keys', 'policies']) {
      await expect(
        bound(mine, () => app.query(`delete from ${table}`)),
        table,
      ).rejects.toThrow(/permission denied/);
      await expect(
        bound(mine, () => app.query(`update ${table} set workspace_id = workspace_id`)),
        table,
      ).rejects.toThrow(/permission denied/);
    }
  });

  test('an identity and what belongs to it are seen by a transaction that presents its hash, and by no other', async () => {
    const [person] = await database.rows(
      `select identity_id, email from people where workspace_id = $1 and role = 'owner'`,
      [mine],
    );
    const [hashes] = await database.rows('select hash_of_id($1) as id, hash_of_address($2) as address', [
      person?.['identity_id'],
      person?.['email'],
    ]);
    const counts = () =>
      Promise.all(ofIdentities.map(async (table) => (await app.query(`select from ${table}`)).rowCount));
    const none = ofIdentities.map(() => 0);
    for (const workspace of [null, mine, others]) expect(await bound(workspace, counts)).toEqual(none);
    const present = (hash: unknown) => app.query(`select set_config('thalamus.presented_hash', $1, true)`, [hash]);
    const asIdentity = await bound(null, async () => [await present(hashes?.['id']), await counts()]);
    expect(asIdentity[1]).toEqual(ofIdentities.map(() => 1));
    const byAddress = await bound(null, async () => {
      await present(hashes?.['address']);
      const { rowCount } = await app.query('delete from identity_addresses');
      return [rowCount, (await app.query('select from identity_addresses')).rowCount, await counts()];
    });
    expect(byAddress.slice(0, 2)).toEqual([0, 1]);
    await bound(null, async () => {
      await present(hashes?.['id']);
      const theirs = await app.query('select workspace_id from people where identity_id <> $1', [
        person?.['identity_id'],
      ]);
      expect(theirs.rowCount).toBe(0);
      expect((await app.query(`update people set name = 'Changed'`)).rowCount).toBe(0);
    });
  });

  test('a presented hash shows its own row alone, and only to read', async () => {
    const [key] = await database.rows('select key_hash from keys where workspace_id = $1', [others]);
    await bound(null, async () => {
      await app.query(`select set_config('thalamus.presented_hash', $1, true)`, [key?.['key_hash']]);
      const { rows } = await app.query('select key_hash from keys');
      expect(rows).toEqual([key]);
      expect((await app.query('update keys set revoked_at = now()')).rowCount).toBe(0);
      for (const table of tables.filter((name) => name !== 'keys')) expect(await ownersIn(table), table).toEqual([]);
    });
  });
});
