// Looks into a test's database as the owner of its tables, whom row level security does not bind.
import { Client } from 'pg';

/** Tables that every call or background job writes to, whatever its outcome, so they do not show an effect. */
const passingTables = [
  'limited_minutes',
  'memory_recalls',
  'memory_recall_days',
  'session_recalls',
  'memory_gatherings',
  'memory_constellations',
  'memory_constellation_members',
  'ledger_seals',
  'ledger_keys',
  'key_places',
  'oauth_grant_places',
];
const passingColumns = ['last_used_at', 'seal', 'lease_until', 'lease_token'];

export type OwnerDatabase = {
  rows(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** For each table how many rows it has and what tells whether one changed: equal before and after means that nothing did. */
  state(): Promise<Record<string, string>>;
  /** Every row of every table, the queue's included, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
};

/** Connects to a test's database as its owner. */
export async function openAsOwner(connectionString: string): Promise<OwnerDatabase> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('set max_parallel_workers_per_gather = 0'); // a look at many small tables is over before a worker is there
  const rows: OwnerDatabase['rows'] = async (statement, values) =>
    (await client.query<Record<string, unknown>>(statement, values)).rows;

  async function tables(schemas: readonly string[], but: readonly string[] = []): Promise<string[]> {
    const found = await rows(
      `select format('%I.%I', nspname, relname) as name, relname
         from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 'p') and nspname = any($1) order by 1`,
      [schemas],
    );
    return found.filter(({ relname }) => !but.includes(String(relname))).map(({ name }) => String(name));
  }

  async function tablesWithPassingColumns(): Promise<Set<string>> {
    const found = await rows('select distinct table_name from information_schema.columns where column_name = any($1)', [
      passingColumns,
    ]);
    return new Set(found.map(({ table_name }) => `public.${String(table_name)}`));
  }
  let alsoPassing: Set<string> | undefined;

  return {
    rows,
    async state() {
      const passing = (alsoPassing ??= await tablesWithPassingColumns());
      // Whatever changes a row gives it another xmin; where columns change in passing, a digest of the others tells.
      const states = (await tables(['public'], passingTables)).map((table) =>
        passing.has(table)
          ? `select '${table}' as name, count(*) || ' rows ' || md5(coalesce(string_agg(row, '' order by row), '')) as state
              from (select md5((to_jsonb(t) - '{${passingColumns.join()}}'::text[])::text) as row from ${table} t) rows`
          : `select '${table}' as name, count(*) || ' rows ' || coalesce(sum(xmin::text::bigint), 0) as state from ${table}`,
      );
      const found = await rows(states.join(' union all '));
      return Object.fromEntries(found.map(({ name, state }) => [String(name), String(state)]));
    },
    async dump() {
      const texts = (await tables(['public', 'jobs'])).map(
        (table) => `select '${table}: ' || t::text as line from ${table} t`,
      );
      return (await rows(texts.join(' union all '))).map(({ line }) => String(line)).join('\n');
    },
    close: () => client.end(),
  };
}
