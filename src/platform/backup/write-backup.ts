// Writes a backup while servers run: every table in one snapshot, and the blobs.
import { createOwnerPool, type Connection } from '#platform/database';
import type { Blobs } from '#platform/blobs';
import { rootKeyIdsQuery } from '#platform/vault';
import { escapeIdentifier, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BackupError, createBackupFile, type BackupWriter, type Counts, type Manifest } from './backup-file.ts';
import { hasTable, listHidden, listSequences, listTables, quoteTable, steadySettings } from './tables.ts';

export type BackupSource = {
  connection: Connection;
  blobs: Blobs;
  /** A query for the keys of all blobs, as `key`. */
  blobKeys: string;
  productVersion: string;
  now(): Date;
  /** Called with the progress. */
  say(text: string): void;
};

export type BackupDone = Counts & {
  /** Blobs that the database refers to and the store does not have. */
  missing: number;
};

/** Writes a backup to a file. Throws a `BackupError`, or the database's error; then no file is left. */
export async function writeBackup(path: string, source: BackupSource): Promise<BackupDone> {
  const file = await createBackupFile(path);
  const pool = createOwnerPool(source.connection, 1);
  const client = await pool.connect();
  try {
    await client.query(`begin isolation level repeatable read read only; ${steadySettings};
      set local thalamus.backup = 'on'`);
    const about = await describe(client, source);
    await file.add('manifest.json', Buffer.from(JSON.stringify(about, null, 1)));
    const rows = await addTables(client, file, about, source.say);
    const { rows: keys } = await client.query<{ key: string }>(source.blobKeys);
    await client.query('commit');
    const missing = await addBlobs(file, source, keys);
    const counts = { rows, blobs: keys.length - missing };
    await file.finish(counts);
    return { ...counts, missing };
  } catch (error) {
    await file.abandon();
    throw error;
  } finally {
    client.release(true); // a copy may still be running
    await pool.end();
  }
}

async function describe(client: ClientBase, { productVersion, now }: BackupSource): Promise<Manifest> {
  if (!(await hasTable(client, 'public.kysely_migration')))
    throw new BackupError(
      "This database does not contain Thalamus. Set DATABASE_URL or THALAMUS_DATA_DIR to the server's values.",
    );
  const tables = await listTables(client);
  // Makes a migration that starts during the backup wait, instead of dropping a table.
  await client.query(`lock table ${tables.map(quoteTable).join(', ')} in access share mode`);
  const hidden = await listHidden(client, tables);
  if (hidden.length)
    throw new BackupError(
      `The database hides rows of ${hidden.length} tables (${hidden[0]} …) from its owner. Start the server of this version once, then back up again.`,
    );
  const texts = async (query: string) => (await client.query<{ text: string }>(query)).rows.map(({ text }) => text);
  const isStarted = await hasTable(client, 'jobs.version');
  const { rows: versions } = await client.query<{ version: number | null }>(
    isStarted ? 'select version from jobs.version' : 'select null::int as version',
  );
  return {
    format: 'thalamus-backup',
    version: 1,
    product_version: productVersion,
    created_at: now().toISOString(),
    migrations: await texts('select name as text from kysely_migration order by name'),
    jobs_version: versions[0]?.version ?? null,
    root_key_ids: tables.some(({ name }) => name === 'data_keys') ? await texts(rootKeyIdsQuery) : [],
    tables,
    sequences: await listSequences(client, tables),
  };
}

async function addTables(
  client: ClientBase,
  file: BackupWriter,
  { tables }: Manifest,
  say: (text: string) => void,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const [index, table] of tables.entries()) {
    say(`${table.schema}.${table.name}, table ${index + 1} of ${tables.length} …`);
    const columns = table.columns.map(escapeIdentifier).join(', ');
    const copy = client.query(copyTo(`copy (select ${columns} from ${quoteTable(table)}) to stdout`));
    await file.addParts(`tables/${table.schema}.${table.name}`, copy);
    rows[`${table.schema}.${table.name}`] = copy.rowCount;
  }
  return rows;
}

/** Adds the blobs. Returns how many were missing, because their documents were deleted since the snapshot. */
async function addBlobs(
  file: BackupWriter,
  { blobs, say }: BackupSource,
  keys: readonly { key: string }[],
): Promise<number> {
  let missing = 0;
  for (const [index, { key }] of keys.entries()) {
    say(`file ${index + 1} of ${keys.length} …`);
    const content = await blobs.open(key);
    if (content) await file.addParts(`blobs/${key}`, content);
    else missing += 1;
  }
  return missing;
}
