// Restores a backup into an empty database, in one transaction: first the migrations that the backup was made with,
// then every row.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Blobs } from '#platform/blobs';
import { MigrationDialect, migrateTo, listMigrationNames, createOwnerPool, type Connection } from '#platform/database';
import { jobsPlan } from '#platform/jobs';
import { Kysely } from 'kysely';
import { escapeIdentifier, type ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import { BackupError, manifest, readBackup, type Counts, type Entry, type Manifest } from './backup-file.ts';
import { countRelations, listTables, quoteTable, steadySettings, type Table } from './tables.ts';

export type RestorePlace = {
  connection: Connection;
  blobs: Blobs;
  /** Called with the progress. */
  say(text: string): void;
};

/** `skipped`: tables of other programs, which backups of earlier versions contain. */
export type RestoreDone = Counts & { skipped: string[] };

/** The fields that every version of a manifest has. */
const headOf = z.looseObject(manifest.pick({ format: true, version: true, product_version: true }).shape);

/**
 * Reads a backup to its end, which proves that it is complete and unaltered, and returns its manifest. Throws a
 * `BackupError` for a backup that this version cannot restore.
 */
export async function checkBackup(path: string, say: (text: string) => void): Promise<Manifest> {
  let about: Manifest | null = null;
  for await (const { name, bytes } of readBackup(path, createProgressReporter(say, 'checked'))) {
    if (name === 'manifest.json') about = await read(bytes);
    if (!about) break;
  }
  if (!about) throw new BackupError(`${path} is not a backup of Thalamus. Make one with \`thalamus backup\`.`);
  return about;
}

async function read(bytes: Buffer): Promise<Manifest | null> {
  const head = headOf.safeParse(JSON.parse(bytes.toString()));
  if (!head.success) return null;
  const { product_version, version } = head.data;
  const newer = `The backup is of a newer version of Thalamus (${product_version}). Restore it with that version.`;
  if (version > 1) throw new BackupError(newer);
  const whole = manifest.safeParse(head.data);
  if (!whole.success) throw new BackupError('The backup was altered, or is not a backup. Use another copy of it.');
  const about = whole.data;
  const known = await listMigrationNames();
  if (about.migrations.some((name) => !known.includes(name))) throw new BackupError(newer);
  if (about.migrations.some((name, index) => name !== known[index]))
    throw new BackupError(`The backup does not fit this version. Restore it with Thalamus ${product_version}.`);
  return about;
}

/**
 * Restores a backup that was checked. Throws a `BackupError` when the target is not empty. After any error nothing is
 * restored.
 */
export async function restoreBackup(path: string, about: Manifest, place: RestorePlace): Promise<RestoreDone> {
  const pool = createOwnerPool(place.connection, 1);
  const client = await pool.connect();
  const db = new Kysely<unknown>({
    dialect: new MigrationDialect({ pool: { options: {}, connect: async () => client, end: () => pool.end() } }),
  });
  try {
    return await db.transaction().execute(async (transaction) => {
      await client.query(`${steadySettings}; select pg_advisory_xact_lock(hashtext('thalamus restore'))`);
      await checkEmpty(client);
      await migrateTo(transaction, about.migrations.at(-1)!);
      await prepareJobs(client, about);
      const { tables, skipped } = await sortTables(client, about);
      const loosened = await prepareTablesForRestore(client, tables);
      const counts = await store(path, { client, tables, skipped, place });
      for (const { value, ...sequence } of about.sequences)
        if (value !== null) await client.query('select setval(to_regclass($1), $2)', [quoteTable(sequence), value]);
      place.say('Checking references …');
      for (const statement of loosened) await client.query(statement);
      return { ...counts, skipped };
    });
  } finally {
    await db.destroy();
  }
}

async function checkEmpty(client: ClientBase): Promise<void> {
  const count = await countRelations(client);
  if (!count) return;
  const advice = 'Restore into a new, empty database (DATABASE_URL), or a new folder (THALAMUS_DATA_DIR).';
  throw new BackupError(`The database is not empty: it has ${count} tables. ${advice} Nothing was changed.`);
}

async function prepareJobs(client: ClientBase, { jobs_version, product_version }: Manifest): Promise<void> {
  if (jobs_version === null) return;
  await client.query(`${jobsPlan}; ${steadySettings}`); // the plan sets its own time limits
  const { rows } = await client.query<{ version: number }>('select version from jobs.version');
  if (rows[0]?.version === jobs_version) return;
  throw new BackupError(
    `The job queue of the backup has version ${jobs_version}, that of this Thalamus ${rows[0]?.version}. Restore with Thalamus ${product_version}, then update.`,
  );
}

/**
 * The tables of the backup that its migrations create, and the names of the other tables, which other programs created.
 */
async function sortTables(client: ClientBase, about: Manifest): Promise<{ tables: Table[]; skipped: string[] }> {
  const made = new Set((await listTables(client)).map(formatTableName));
  const isOurs = (table: Table) => made.has(formatTableName(table));
  return {
    tables: about.tables.filter(isOurs),
    skipped: about.tables.filter((table) => !isOurs(table)).map(formatTableName),
  };
}

/**
 * Empties the tables that the migrations filled, and removes whatever would refuse or change incoming rows: references,
 * triggers and row level security. Returns the statements that restore these.
 */
async function prepareTablesForRestore(client: ClientBase, tables: readonly Table[]): Promise<string[]> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select format('%I.%I', nspname, relname) as table, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
       from pg_constraint join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
      where contype = 'f' and conparentid = 0 and nspname in ('public', 'jobs')`,
  );
  const { rows: forced } = await client.query<{ table: string }>(
    `select oid::regclass::text as table from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { table } of forced) await client.query(`alter table ${table} no force row level security`);
  for (const table of tables) await client.query(`alter table ${quoteTable(table)} disable trigger user`);
  await client.query(`truncate ${tables.map(quoteTable).join(', ')}`);
  return [
    ...references.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...tables.map((table) => `alter table ${quoteTable(table)} enable trigger user`),
    ...forced.map(({ table }) => `alter table ${table} force row level security`),
  ];
}

type RestoreTarget = { client: ClientBase; tables: readonly Table[]; skipped: readonly string[]; place: RestorePlace };

/** Stores rows and blobs in the order of the file; throws when their numbers differ from the counts at its end. */
async function store(path: string, storing: RestoreTarget): Promise<Counts> {
  const entries = readBackup(path, createProgressReporter(storing.place.say, 'restored'));
  try {
    const { expected, ...counts } = await storeEntries(entries, storing);
    for (const name of storing.skipped) delete expected.rows[name];
    if (isDeepStrictEqual(expected, counts)) return counts;
    throw new BackupError(`${path} does not contain the rows that its end lists. Nothing was restored.`);
  } finally {
    await entries.return({ rows: {}, blobs: 0 });
  }
}

async function storeEntries(
  entries: AsyncGenerator<Entry, Counts>,
  { client, tables: ours, place }: RestoreTarget,
): Promise<Counts & { expected: Counts }> {
  const rows: Record<string, number> = {};
  const tables = new Map(ours.map((table) => [`tables/${formatTableName(table)}`, table]));
  let blobs = 0;
  let next = await entries.next();
  /** The entries of one folder, which are consecutive. */
  async function* readParts(folder: string): AsyncGenerator<Buffer> {
    for (; !next.done && getEntryFolder(next.value) === folder; next = await entries.next()) yield next.value.bytes;
  }
  while (!next.done) {
    const folder = getEntryFolder(next.value);
    const table = tables.get(folder);
    if (table) {
      const columns = table.columns.map(escapeIdentifier).join(', ');
      const copy = client.query(copyFrom(`copy ${quoteTable(table)} (${columns}) from stdin`));
      await pipeline(readParts(folder), copy);
      rows[formatTableName(table)] = copy.rowCount;
    } else if (folder.startsWith('blobs/')) {
      await putBlob(place.blobs, folder.slice('blobs/'.length), readParts(folder));
      blobs += 1;
    } else next = await entries.next();
  }
  return { rows, blobs, expected: next.value };
}

function formatTableName({ schema, name }: Table): string {
  return `${schema}.${name}`;
}

function getEntryFolder({ name }: Entry): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

async function putBlob(blobs: Blobs, key: string, parts: AsyncIterable<Buffer>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-restore-'));
  try {
    const path = join(folder, 'blob');
    await pipeline(parts, createWriteStream(path));
    await blobs.put(key, { path });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function createProgressReporter(say: (text: string) => void, done: string): (bytes: number) => void {
  return (bytes) => say(`${Math.round(bytes / 1_000_000)} MB ${done} …`);
}
