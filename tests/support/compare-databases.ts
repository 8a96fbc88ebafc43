// Every row of every table of a database, as text, to be compared with those of another one.
import { Client } from 'pg';

/** Rows by table, sorted, and the last values of sequences. Numbers of transactions are those of a cluster, and left out. */
export async function readDatabaseContents(connectionString: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; left_out: string[] }>(`
      select format('%I.%I', nspname, relname) as name,
             coalesce(array_agg(attname::text) filter (where atttypid in ('xid8'::regtype, 'pg_snapshot'::regtype)), '{}') as left_out
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
       where nspname in ('public', 'jobs') and relkind = 'r' and attnum > 0 and not attisdropped group by 1 order by 1`);
    const contents: Record<string, unknown> = {};
    for (const { name, left_out } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`,
        [left_out],
      );
      contents[name] = rows.map(({ row }) => row);
    }
    const { rows: sequences } = await client.query(
      `select sequencename, last_value from pg_sequences where schemaname in ('public', 'jobs') order by 1`,
    );
    return { ...contents, sequences };
  } finally {
    await client.end();
  }
}
