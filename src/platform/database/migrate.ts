import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely, type Transaction } from 'kysely';
import { Migrator, type Migration, type MigrationProvider } from 'kysely/migration';
import { kyselyOn, ownerPool, type Connection } from './connect.ts';

const folder = join(import.meta.dirname, '../../../migrations');

/**
 * Migrates the schema: every new file of `migrations/`, in order, each in a transaction. Safe when several servers
 * start at once. Throws with the file's name when one fails.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const db = kyselyOn<unknown>(ownerPool(connection));
  try {
    const { error, results = [] } = await new Migrator({ db, provider: plainSql }).migrateToLatest();
    const failed = results.find((result) => result.status === 'Error');
    if (error) throw new Error(describeError(error, failed?.migrationName), { cause: error });
    return results.map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

/** Runs the migrations up to one in an open transaction, for a database that is restored with an older schema. */
export async function migrateTo(transaction: Transaction<unknown>, name: string): Promise<void> {
  const { error } = await new Migrator({ db: transaction, provider: plainSql }).migrateTo(name);
  if (error) throw error;
}

/** The names of all migrations of this version, in order. */
export async function migrationNames(): Promise<string[]> {
  return Object.keys(await plainSql.getMigrations());
}

/** The tables in the schema `public` that migrations make. A database may hold tables of other programs beside them. */
export async function migratedTables(): Promise<string[]> {
  const files = await Promise.all((await sqlFiles()).map((file) => readFile(join(folder, file), 'utf8')));
  const made = files.flatMap((text) =>
    [...text.matchAll(/^ *create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name!),
  );
  return [...new Set(['kysely_migration', ...made])];
}

/** Without a file name the database itself does not fit, such as one that a newer version migrated. */
function describeError(error: unknown, name: string | undefined): string {
  const why = (error instanceof Error ? error.message : String(error)).replace(/\.+$/, '');
  if (name) return `the migration ${name} failed: ${why}`;
  return `the database does not fit this version of Thalamus: ${why}. Start the version that it was used with last, or a newer one.`;
}

const plainSql: MigrationProvider = {
  async getMigrations() {
    const files = await sqlFiles();
    return Object.fromEntries(
      await Promise.all(files.map(async (file) => [file.replace('.sql', ''), await load(file)])),
    );
  },
};

async function sqlFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
}

async function load(file: string): Promise<Migration> {
  const text = await readFile(join(folder, file), 'utf8');
  return { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) };
}
