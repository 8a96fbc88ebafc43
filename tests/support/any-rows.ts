// Makes a row in a table as its definition in the database allows it, whatever it means: for tests that need rows in tables of the past.
import type { Client } from 'pg';

type Column = {
  name: string;
  type: string;
  /** What it points to; null when it points nowhere. */
  table: string | null;
  column: string | null;
  /** Values that a check allows. */
  allowed: string[] | null;
  array: boolean;
};

const describe = `
  select own.attname as name, typname as type, own.attnotnull as "isNeeded", foreign_table as table, foreign_column as column, typcategory = 'A' as array,
         (select regexp_matches(pg_get_constraintdef(c.oid), '(?:ARRAY\\[|= )''([^'']*)''')
            from pg_constraint c where c.conrelid = own.attrelid and contype = 'c' and conkey = array[own.attnum] limit 1) as allowed
    from pg_attribute own join pg_type on pg_type.oid = own.atttypid left join lateral (
      select f.relname as foreign_table, a.attname as foreign_column from pg_constraint c
        join pg_class f on f.oid = c.confrelid
        join lateral unnest(c.conkey, c.confkey) as pair (here, there) on here = own.attnum
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = there
       where c.conrelid = own.attrelid and contype = 'f' order by f.relname = 'workspaces' limit 1) as points on true
   where own.attrelid = $1::regclass and own.attnum > 0 and not own.attisdropped and (own.attnotnull or $2) and not own.atthasdef
     and own.attidentity = '' order by own.attnum`;

const values: Readonly<Record<string, (n: number) => string>> = {
  uuid: (n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  text: (n) => `text ${n}`,
  bytea: (n) => `\\x${String(n).padStart(8, '0')}`,
  jsonb: () => '[]',
  timestamptz: () => '2026-01-01T00:00:00Z',
  date: () => '2026-01-01',
  bool: () => 'false',
};

/** Texts whose form a check asks for. */
const formedTexts: Readonly<Record<string, (n: number) => string>> = {
  'recipe_versions.version': (n) => `1.0.${n}`,
};

/** Tries to insert a row that points to the first rows of other tables. Answers why there was no way; null when there was one. */
export async function insertAnyRow(client: Client, table: string, n: number): Promise<string | null> {
  const why = await insertRow(client, table, { n, withListed: false });
  return why === null ? null : await insertRow(client, table, { n, withListed: true });
}

/** `withListed`: also with what may be null, where a check lists its values, since other checks may ask for one. */
async function insertRow(
  client: Client,
  table: string,
  { n, withListed }: { n: number; withListed: boolean },
): Promise<string | null> {
  const described = await client.query<Column & { isNeeded: boolean }>(describe, [table, withListed]);
  const columns = described.rows.filter(({ isNeeded, allowed }) => isNeeded || allowed);
  const row: Record<string, unknown> = {};
  for (const { name, type, table: foreign, column, allowed, array } of columns) {
    if (foreign !== null && column !== null) {
      const { rows } = await client.query<{ value: unknown }>(
        `select "${column}" as value from "${foreign}" order by 1 limit 1`,
      );
      if (!rows[0]) return `${foreign} is empty`;
      row[name] = rows[0].value;
    } else row[name] = allowed?.[0] ?? (array ? '{}' : (formedTexts[`${table}.${name}`] ?? values[type] ?? String)(n));
  }
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const text = `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${places.join(', ')})`;
  await client.query('savepoint one_row');
  try {
    await client.query(text, Object.values(row));
    await client.query('release one_row');
    return null;
  } catch (error) {
    await client.query('rollback to one_row');
    return String(error);
  }
}
