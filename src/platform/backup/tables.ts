// The parts of a Thalamus database that a backup contains.
import { listMigratedTables } from '#platform/database';
import { escapeIdentifier, type ClientBase } from 'pg';
import { schemas, type Manifest } from './backup-file.ts';

export type Table = Manifest['tables'][number];
export type Sequence = Manifest['sequences'][number];

/** Tables of running migrations; they contain no data. */
const passing = ['kysely_migration_lock'];
/**
 * Each cluster numbers its own transactions. Restored rows count as written by the restore, and stored snapshots are
 * dropped.
 */
const ofThisCluster = ['xid8', 'pg_snapshot'];

/** A table name as SQL writes it. */
export function quoteTable({ schema, name }: { schema: string; name: string }): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/**
 * The product's tables that have rows of their own, with their stored (not computed) columns. Tables that other
 * programs keep in the schema `public` are left out.
 */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select nspname as schema, relname as name, array_agg(attname::text order by attnum) as columns
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
      where nspname = any($1) and relkind = 'r' and not relname = any($2) and (nspname <> 'public' or relname = any($4))
        and attnum > 0 and not attisdropped and attgenerated = '' and not atttypid = any($3::regtype[])
      group by 1, 2 order by 1, 2`,
    [schemas, passing, ofThisCluster, await listMigratedTables()],
  );
  return rows;
}

/** Sequences of tables, and the last value of each; null when it was never used. */
export async function listSequences(client: ClientBase, tables: readonly Table[]): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value as value
       from pg_sequences join pg_depend on objid = format('%I.%I', schemaname, sequencename)::regclass and deptype in ('a', 'i')
      where schemaname = any($1) and refobjid = any($2::regclass[]) order by 1, 2`,
    [schemas, tables.map(quoteTable)],
  );
  return rows;
}

/** The tables whose rows row level security hides from the backup's user. */
export async function listHidden(client: ClientBase, tables: readonly Table[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where pg_class.oid = any($1::regclass[]) and row_security_active(pg_class.oid) and not exists (
        select from pg_policies where schemaname = nspname and tablename = relname
          and policyname = 'backed_up' and current_user = any(roles))`,
    [tables.map(quoteTable)],
  );
  return rows.map(({ name }) => name);
}

/** The contents of a database that is in use: tables, views, sequences. */
export async function countRelations(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as count from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any($1) and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
    [schemas],
  );
  return rows[0]?.count ?? 0;
}

/** Whether a table of this name exists. */
export async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [name]);
  return rows[0]?.is_there ?? false;
}

/**
 * Settings for a backup: values as text that every cluster reads the same way, and no statement timeout, because a
 * large table takes long.
 */
export const steadySettings = `
  set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local timezone = 'UTC'; set local extra_float_digits = 3; set local bytea_output = 'hex';
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`;
