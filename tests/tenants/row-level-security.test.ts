import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillEveryTable } from '../support/every-table.ts';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';

/** Tables of `public` without a workspace, and why that is so. */
const withoutWorkspace: Record<string, string> = {
  kysely_migration: 'Which migrations ran; written before there is a workspace.',
  kysely_migration_lock: 'Held while migrations run.',
};

/** Clients request and register before their workspace is known, so a row is visible only by its hash. */
const ofClients = ['oauth_requests', 'oauth_clients'];

/** Tables of identities, which belong to no workspace: each row is visible only to a query that presents its hash. */
const ofIdentities = ['identities', 'identity_addresses', 'authenticators', 'recovery_codes'];

/** Visible to a query that presents the hash of the subject they count, which is not a row. */
const bySubject = ['sign_in_attempts', 'mail_brakes', 'identity_spending'];

/** The column that says whose a row is; `workspace_id` everywhere else. */
const getOwnerColumn = (table: string) => (table === 'workspaces' ? 'id' : 'workspace_id');

let database: OwnerDatabase;
let app: Client;
let close: () => Promise<void>;
let mine: string;
let others: string;
let tables: string[];

beforeAll(async () => {
  const { server, google, close: closeServer } = await startServerWithGoogle();
  database = await openAsOwner(server.connectionString);
  [mine, others] = await fillEveryTable(server, google, database);
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

/** Runs statements as the application does: bound to a workspace, in a transaction that leaves nothing behind. */
async function runBound<T>(workspaceId: string | null, work: () => Promise<T>): Promise<T> {
  await app.query('begin');
  try {
    if (workspaceId) await app.query(`select set_config('thalamus.workspace_id', $1, true)`, [workspaceId]);
    return await work();
  } finally {
    await app.query('rollback');
  }
}

async function readOwners(table: string): Promise<string[]> {
  const { rows } = await app.query<{ owner: string }>(
    `select distinct ${getOwnerColumn(table)} as owner from ${table}`,
  );
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
      [table, getOwnerColumn(table)],
    );
    expect(columns, table).toEqual([{ is_nullable: 'NO' }]);
    // A restrictive policy only hides more.
    const policies = await database.rows(
      `select policyname from pg_policies where tablename = $1 and cmd = 'ALL' and permissive = 'PERMISSIVE'`,
      [table],
    );
    expect(policies, table).toEqual([{ policyname: 'one_workspace' }]);
  }
});

test('a backup can read every table that hides rows from its owner', async () => {
  const hidden = await database.rows(`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
       and not exists (select from pg_policies where tablename = relname and policyname = 'backed_up')`);
  expect(hidden, 'call show_to_backup in the migration').toEqual([]);
});

test('a view reads with the rights of its caller', async () => {
  const views = await database.rows(`
    select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
      and not coalesce(reloptions @> array['security_invoker=true'] or reloptions @> array['security_invoker=on'], false)`);
  expect(views).toEqual([]);
});

test('the role of the application owns nothing, and cannot bypass row-level security', async () => {
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
      const there = await database.rows(`select distinct ${getOwnerColumn(table)} as owner from ${table}`);
      expect(there.map(({ owner }) => owner).toSorted(), `${table} has rows of both`).toEqual(
        [mine, others].toSorted(),
      );
      expect(await runBound(mine, () => readOwners(table)), table).toEqual([mine]);
      expect(await runBound(others, () => readOwners(table)), table).toEqual([others]);
    }
    for (const workspace of [mine, others])
      expect(await runBound(workspace, () => readOwners('searchable'))).toEqual([workspace]);
  });

  test('without a workspace no row is visible', async () => {
    for (const table of [...tables, 'searchable']) {
      expect(await runBound(null, () => readOwners(table)), table).toEqual([]);
      expect(await runBound(randomUUID(), () => readOwners(table)), table).toEqual([]);
    }
  });

  describe('a round', () => {
    const soon = `now() + interval '1 hour'`;
    /** For each function that finds workspaces: a call of it, what leaves no work anywhere, and what makes work in one. */
    const finders: Record<string, { call: string; idle: string; busy: string }> = {
      workspaces_with_overdue_drafts: {
        call: 'workspaces_with_overdue_drafts()',
        idle: `update drafts set expires_at = ${soon}`,
        busy: `update drafts set expires_at = now(), status = 'pending' where workspace_id = $1`,
      },
      workspaces_with_due_syncs: {
        call: 'workspaces_with_due_syncs()',
        idle: `update syncs set next_at = ${soon}`,
        busy: `update syncs set next_at = now(), status = 'waiting', lease_until = null where workspace_id = $1`,
      },
      list_due_dataset_recipes: {
        call: 'list_due_dataset_recipes(100)',
        idle: 'update dataset_recipes set next_at = null',
        busy: 'update dataset_recipes set next_at = now(), lease_until = null where workspace_id = $1',
      },
      list_due_recipe_installs: {
        call: 'list_due_recipe_installs(100)',
        idle: 'update recipe_installs set next_at = null',
        busy: `update recipe_installs set next_at = now(), state = 'active', lease_until = null
          where id = (select id from recipe_installs where workspace_id = $1 limit 1)`,
      },
      workspaces_with_passed_deadlines: {
        call: 'workspaces_with_passed_deadlines(now())',
        idle: 'update workflows set next_deadline_at = null',
        busy: `update workflows set next_deadline_at = now(), state = 'active' where workspace_id = $1`,
      },
      workspaces_with_old_deliveries: {
        call: `workspaces_with_old_deliveries(${soon})`,
        idle: 'update output_deliveries set payload = null',
        busy: `update output_deliveries set payload = 'x', status = 'failed' where workspace_id = $1`,
      },
      workspaces_with_old_webhook_events: {
        call: `workspaces_with_old_webhook_events(${soon})`,
        idle: `update webhook_events set body = null, headers = '{}', query = '{}', outcome = 'translated'`,
        busy: `update webhook_events set body = 'x', outcome = 'failed' where workspace_id = $1`,
      },
      workspaces_with_unused_blobs: {
        call: `workspaces_with_unused_blobs(${soon})`,
        idle: `update blobs set kept_at = now() + interval '2 hours'`,
        busy: `insert into blobs values ($1, 'unused', 1, now())`,
      },
      workspaces_with_left_words: {
        call: `workspaces_with_left_words(${soon})`,
        idle: `update attachments set text_state = 'none'`,
        busy: `update attachments set text_state = 'awaited' where workspace_id = $1`,
      },
      workspaces_with_returned_bots: {
        call: 'workspaces_with_returned_bots()',
        idle: `update telegram_bots set status = 'listening'`,
        busy: `update telegram_bots set status = 'ended' where workspace_id = $1`,
      },
      workspaces_with_untold_chats: {
        call: `workspaces_with_untold_chats(${soon})`,
        idle: 'update chat_sessions set turns_told = turns',
        busy: `update chat_sessions set turns = turns_told + 1, titled_by = 'rules' where workspace_id = $1`,
      },
      workspaces_to_gather: {
        call: `workspaces_to_gather(1, 1, ${soon})`,
        idle: `delete from memory_gatherings;
          insert into memory_gatherings select id, workspace_id, ${soon}, 0 from brains`,
        busy: 'delete from memory_gatherings where workspace_id = $1',
      },
    };

    test('every function that finds workspaces is tried here', async () => {
      const functions = await database.rows(
        `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
      );
      const names = functions
        .map(({ proname }) => String(proname))
        .filter((name) => name !== 'delete_current_workspace');
      expect(names.toSorted()).toEqual(Object.keys(finders).toSorted());
    });

    test.each(Object.values(finders))(
      '$call finds workspaces with work, and only for the server itself',
      async (finder) => {
        const found = async () =>
          (await app.query<{ id: string }>(`select id from ${finder.call} as found (id)`)).rows.map(({ id }) => id);
        await runBound(null, async () => {
          await app.query('set local role none');
          await app.query(finder.idle);
          await app.query('set local role thalamus_app');
          await app.query(`select set_config('thalamus.system', 'on', true)`);
          expect(await found()).toEqual([]);
          await app.query('set local role none');
          await app.query(finder.busy, [mine]);
          await app.query('set local role thalamus_app');
          expect(await found()).toEqual([mine]);
          await app.query(`select set_config('thalamus.system', '', true)`);
          expect(await found()).toEqual([]);
          await app.query(`select set_config('thalamus.workspace_id', $1, true)`, [others]);
          expect(await found()).toEqual([]);
        });
      },
    );

    test('the server itself reads no draft, memory, page or document of a workspace', async () => {
      await runBound(null, async () => {
        await app.query(`select set_config('thalamus.system', 'on', true)`);
        for (const table of ['drafts', 'memories', 'pages', 'documents', 'brains', 'attachments', 'connections'])
          expect(await readOwners(table), table).toEqual([]);
      });
    });
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
      const column = getOwnerColumn(table);
      // A copy of a row has every column that is not computed, so that nothing but row level security can be in its way.
      const columns = await storedColumns(table);
      const copied = `select (jsonb_populate_record(t, jsonb_build_object('${column}', $1::text))).* from ${table} t limit 1`;
      const copy = () =>
        app.query(`insert into ${table} (${columns}) select ${columns} from (${copied}) copy`, [others]);
      const move = () => app.query(`update ${table} set ${column} = $1`, [others]);
      await expect(runBound(mine, copy), table).rejects.toThrow(/violates row-level security policy/);
      await expect(runBound(mine, move), table).rejects.toThrow(/row-level security|permission denied/);
    }
  });

  test('no row of another workspace can be changed or deleted', async () => {
    for (const table of tables) {
      const column = getOwnerColumn(table);
      for (const statement of [
        `delete from ${table} where ${column} = $1`,
        `update ${table} set ${column} = ${column} where ${column} = $1`,
      ]) {
        const outcome = await runBound(mine, () => app.query(statement, [others])).catch(
          (error: Error) => error.message,
        );
        expect(typeof outcome === 'string' ? outcome : outcome.rowCount, `${table}: ${statement}`).toSatisfy(
          (seen: unknown) => seen === 0 || /permission denied/.test(String(seen)),
        );
      }
    }
  });

  test('rows can only be added to the record and the ledger', async () => {
    for (const table of ['audit_log', 'draft_ledger', 'ledger_seals', 'ledger_keys', 'policies']) {
      await expect(
        runBound(mine, () => app.query(`delete from ${table}`)),
        table,
      ).rejects.toThrow(/permission denied/);
      await expect(
        runBound(mine, () => app.query(`update ${table} set workspace_id = workspace_id`)),
        table,
      ).rejects.toThrow(/permission denied/);
    }
  });

  test('an identity and its rows are visible to a transaction that presents its hash, and to no other', async () => {
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
    for (const workspace of [null, mine, others]) expect(await runBound(workspace, counts)).toEqual(none);
    const present = (hash: unknown) => app.query(`select set_config('thalamus.presented_hash', $1, true)`, [hash]);
    const asIdentity = await runBound(null, async () => [await present(hashes?.['id']), await counts()]);
    expect(asIdentity[1]).toEqual(ofIdentities.map(() => 1));
    const byAddress = await runBound(null, async () => {
      await present(hashes?.['address']);
      const { rowCount } = await app.query('delete from identity_addresses');
      return [rowCount, (await app.query('select from identity_addresses')).rowCount, await counts()];
    });
    expect(byAddress.slice(0, 2)).toEqual([0, 1]);
    await runBound(null, async () => {
      await present(hashes?.['id']);
      const theirs = await app.query('select workspace_id from people where identity_id <> $1', [
        person?.['identity_id'],
      ]);
      expect(theirs.rowCount).toBe(0);
      expect((await app.query(`update people set name = 'Changed'`)).rowCount).toBe(0);
    });
  });

  test('a client that connects and its request are visible by their own hashes, and only expired ones are swept', async () => {
    const insert = async (table: string, column: string) => {
      for (const [hash, ends] of [
        [`${table} live`, '1 hour'],
        [`${table} over`, '-1 hour'],
      ])
        await database.rows(
          `insert into ${table} (${column}, payload, expires_at) values ($1, '{}', now() + $2::interval)`,
          [hash, ends],
        );
    };
    await insert('oauth_requests', 'request_hash');
    await insert('oauth_clients', 'client_hash');
    for (const table of ofClients) {
      const count = async () => (await app.query(`select from ${table}`)).rowCount;
      const present = (hash: string) => app.query(`select set_config('thalamus.presented_hash', $1, true)`, [hash]);
      for (const workspace of [null, mine, others]) expect(await runBound(workspace, count), table).toBe(0);
      expect(await runBound(null, async () => [await present(`${table} live`), await count()][1])).toBe(1);
      const [over] = await database.rows(`select count(*)::int as count from ${table} where expires_at < now()`);
      const swept = await runBound(null, async () => {
        await present('');
        return (await app.query(`delete from ${table}`)).rowCount;
      });
      expect(swept, table).toBe(over?.['count']);
      expect(swept, table).toBeGreaterThan(0);
    }
    for (const [table, column] of [
      ['oauth_requests', 'request_hash'],
      ['oauth_clients', 'client_hash'],
    ])
      await database.rows(`delete from ${table} where ${column} like $1`, [`${table} %`]);
  });

  test('a presented hash shows its own row only, and only to read', async () => {
    const [key] = await database.rows('select key_hash from keys where workspace_id = $1', [others]);
    await runBound(null, async () => {
      await app.query(`select set_config('thalamus.presented_hash', $1, true)`, [key?.['key_hash']]);
      const { rows } = await app.query('select key_hash from keys');
      expect(rows).toEqual([key]);
      expect((await app.query('update keys set revoked_at = now()')).rowCount).toBe(0);
      for (const table of tables.filter((name) => name !== 'keys')) expect(await readOwners(table), table).toEqual([]);
    });
  });
});
