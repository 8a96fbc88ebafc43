import { trimLetters } from '#kernel/trim-end';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresAdapter, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration';
import { createOwnerPool, type Connection } from './connect.ts';

const folder = join(import.meta.dirname, '../../../migrations');

/**
 * The lock of a migration ends with its transaction. Kysely's own lock belongs to the session: behind a pooler it stays
 * on a connection that the next start does not get.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The dialect for migrations, on a connection that the caller has locked. */
export class MigrationDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

const oldestVersion = 160_000;

/**
 * Migrates the schema: every new file of `migrations/`, in order, in one transaction. Safe when several servers start
 * at once. Throws with the file's name when one fails, and on a PostgreSQL that is too old.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const pool = createOwnerPool(connection, 1);
  const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool }) });
  try {
    await checkVersion(db);
    if (await isMigrated(db)) return [];
    return await db.transaction().execute(async (transaction) => {
      await lockMigrations(transaction);
      const migrator = new Migrator({ db: transaction, provider: plainSql });
      const { error, results = [] } = await migrator.migrateToLatest();
      const failed = results.find((result) => result.status === 'Error');
      if (error) throw new Error(describeError(error, failed?.migrationName), { cause: error });
      return results.map((result) => result.migrationName);
    });
  } finally {
    await db.destroy();
  }
}

/** Runs the migrations up to one in an open transaction, for a database that is restored with an older schema. */
export async function migrateTo(transaction: Transaction<unknown>, name: string): Promise<void> {
  const { error } = await new Migrator({ db: transaction, provider: plainSql }).migrateTo(name);
  if (error) throw error;
}

async function checkVersion(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name`.execute(db);
  if (Number(rows[0]?.number) >= oldestVersion) return;
  throw new Error(
    `The database is PostgreSQL ${rows[0]?.name}; Thalamus needs 16 or newer. Upgrade it, or set DATABASE_URL to another.`,
  );
}

/** Whether the database has exactly the migrations of this version, so that no lock is needed. */
async function isMigrated(db: Kysely<unknown>): Promise<boolean> {
  const { rows: tables } = await sql<{ is_there: boolean }>`
    select to_regclass('public.kysely_migration') is not null as is_there`.execute(db);
  if (!tables[0]?.is_there) return false;
  const { rows } = await sql<{ name: string }>`select name from public.kysely_migration`.execute(db);
  const names = await listMigrationNames();
  const migrated = new Set(rows.map((row) => row.name));
  return names.length === migrated.size && names.every((name) => migrated.has(name));
}

/** Waits, an hour at most, for another server that is migrating. */
async function lockMigrations(transaction: Transaction<unknown>): Promise<void> {
  const { rows } = await sql<{ before: string }>`
    select current_setting('lock_timeout') as before, set_config('lock_timeout', '1h', true)`.execute(transaction);
  await sql`select pg_advisory_xact_lock(hashtext('thalamus migrations'))`.execute(transaction);
  await sql`select set_config('lock_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(transaction);
}

/** The names of all migrations of this version, in order. */
export async function listMigrationNames(): Promise<string[]> {
  return (await listSqlFiles()).map(readMigrationName);
}

/** The tables in the schema `public` that migrations create. A database may contain tables of other programs, too. */
export async function listMigratedTables(): Promise<string[]> {
  const files = await Promise.all((await listSqlFiles()).map((file) => readFile(join(folder, file), 'utf8')));
  const made = files.flatMap((text) =>
    [...text.matchAll(/^ *create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name!),
  );
  return [...new Set(['kysely_migration', ...made])];
}

/** Without a file name the database as a whole does not fit, for example because a newer version migrated it. */
function describeError(error: unknown, name: string | undefined): string {
  const why = trimLetters(error instanceof Error ? error.message : String(error), '.');
  if (name) return `the migration ${name} failed: ${why}`;
  return `the database does not fit this version of Thalamus: ${why}. Start the version that it was used with last, or a newer one.`;
}

const plainSql: MigrationProvider = {
  async getMigrations() {
    const files = await listSqlFiles();
    return Object.fromEntries(
      await Promise.all(files.map(async (file) => [readMigrationName(file), await load(file)])),
    );
  },
};

function readMigrationName(file: string): string {
  return file.replace('.sql', '');
}

async function listSqlFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
}

async function load(file: string): Promise<Migration> {
  const text = await readFile(join(folder, file), 'utf8');
  return { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) };
}
