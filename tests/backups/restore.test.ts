import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createLog } from '#platform/log';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { writeServerBackup, restore } from '../../src/backups.ts';
import { createBackupFile, manifest, readBackup } from '../../src/platform/backup/backup-file.ts';
import { readDatabaseContents } from '../support/compare-databases.ts';
import { fillEveryTable } from '../support/every-table.ts';
import { startServerWithGoogle } from '../support/google.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { administer, createTestDatabase } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

const otherKey = { THALAMUS_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
const masterKey = Buffer.alloc(32, 7).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'backups-'));
const file = join(folder, 'first.tar.gz');
const made: string[] = [];
/** More bytes than one part of a stream has, and few words to scan. */
const largeFile = Buffer.from(`<!-- ${'silver '.repeat(300_000)}--><p>The weir is low.</p>`);
let source: Awaited<ReturnType<typeof createTestDatabase>>;
let documentId: string;
let original: Record<string, unknown>;

beforeAll(async () => {
  source = await createTestDatabase();
  const settings = { DATABASE_URL: source.connectionString, THALAMUS_DATA_DIR: join(folder, 'original') };
  const { server: started, google, close } = await startServerWithGoogle(settings);
  const server = { ...started, connectionString: source.connectionString };
  const database = await openAsOwner(source.connectionString);
  await fillEveryTable(server, google, database);
  await database.close();
  const content = Array.from({ length: 600 }, (_, line) => `Line ${line}: the harbour toll\tis \\N silver.`).join('\n');
  await server.ok('upload_document', { title: 'Tolls', content });
  const large = { title: 'Large', filename: 'large.html', file_base64: largeFile.toString('base64') };
  documentId = (await server.ok('upload_document', large)).document_id;
  await server.ok('add_memory', { content: 'Saffron is taxed — "twice" \\ in Tessaly.\n\tNobody knows why. 🜁' });
  await writeServerBackup(file, createCommand(source.connectionString, 'original')); // while the server runs
  await close(); // from now on nothing changes, so the next backup can be compared
  rmSync(file);
  original = await readDatabaseContents(source.connectionString);
  await addTablesOfOthers();
  await writeServerBackup(file, createCommand(source.connectionString, 'original'));
});
afterAll(async () => {
  await source.drop();
  for (const name of made) await administer(inject('postgres'), `drop database if exists ${name} with (force)`);
  await administer(inject('postgres'), 'drop role if exists restoring_owner');
  rmSync(folder, { recursive: true });
});

/** Another program keeps tables beside those of the server: one that its owner cannot see all of, and one with a sequence. */
async function addTablesOfOthers(): Promise<void> {
  const database = await openAsOwner(source.connectionString);
  await database.rows(`create table of_others (id serial primary key, note text);
    insert into of_others (note) values ('A foreign row');
    create table hidden_of_others (id int);
    alter table hidden_of_others enable row level security;
    alter table hidden_of_others force row level security`);
  await database.close();
}

function createCommand(connectionString: string, dataDir: string, settings: Record<string, string> = {}) {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: connectionString,
    THALAMUS_DATA_DIR: join(folder, dataDir),
    THALAMUS_MASTER_KEY: masterKey,
    ...settings,
  });
  return { config, log: createLog('error'), say: () => {}, isKeyLost: false };
}

/** A new database, of a plain owner as managed PostgreSQL has it, or of the superuser. */
async function createEmptyDatabase(name: string, owner?: string): Promise<string> {
  const { host, port, user } = inject('postgres');
  await administer(inject('postgres'), `create database ${name} template template0 ${owner ? `owner ${owner}` : ''}`);
  made.push(name);
  return `postgresql://${owner ?? user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** The backup as earlier versions made it: with a table of another program, and its sequence. */
async function withTablesOfOthers(path: string): Promise<string> {
  const other = { schema: 'public' as const, name: 'of_others' };
  const old = join(folder, 'old.tar.gz');
  const writer = await createBackupFile(old);
  const entries = readBackup(path);
  let next = await entries.next();
  for (; !next.done; next = await entries.next()) {
    const { name, bytes } = next.value;
    if (name !== 'manifest.json') {
      await writer.add(name, bytes);
      continue;
    }
    const about = manifest.parse(JSON.parse(bytes.toString()));
    about.tables.push({ ...other, columns: ['id', 'note'] });
    about.sequences.push({ ...other, name: 'of_others_id_seq', value: 1 });
    await writer.add(name, Buffer.from(JSON.stringify(about)));
    await writer.add('tables/public.of_others/000001', Buffer.from('1\tA foreign row\n'));
  }
  const { rows, blobs } = next.value;
  await writer.finish({ rows: { ...rows, 'public.of_others': 1 }, blobs });
  return old;
}

test('a restored server has every row and file of the original, also where its owner is not a superuser', async () => {
  expect(gunzipSync(readFileSync(file)).toString('latin1')).not.toMatch(/of_others|A foreign row/);
  await administer(inject('postgres'), 'create role restoring_owner login createrole');
  await administer(inject('postgres'), 'grant thalamus_app to restoring_owner with admin option');
  const once = await createEmptyDatabase('restored_once', 'restoring_owner');
  const { skipped } = await restore(await withTablesOfOthers(file), createCommand(once, 'once'));
  expect(skipped).toEqual(['public.of_others']);
  const foreign = join(folder, 'foreign');
  writeFileSync(foreign, 'not of a backup');
  symlinkSync(foreign, join(folder, 'second.tar.gz.part'));
  await writeServerBackup(join(folder, 'second.tar.gz'), createCommand(once, 'once')); // the plain owner sees all rows, too
  expect(readFileSync(foreign, 'utf8')).toBe('not of a backup');
  const twice = await createEmptyDatabase('restored_twice');
  await restore(join(folder, 'second.tar.gz'), { ...createCommand(twice, 'twice', otherKey), isKeyLost: true });
  for (const url of [once.replace('restoring_owner@', `${inject('postgres').user}@`), twice]) {
    const restored = await readDatabaseContents(url);
    expect(Object.keys(restored)).toEqual(Object.keys(original));
    for (const [table, rows] of Object.entries(original)) expect(restored[table], table).toEqual(rows);
    expect(Object.values(restored).filter((rows) => Array.isArray(rows) && !rows.length).length).toBeLessThan(12);
  }
  await runOn(twice);
});

/** A server on a restored database finds what was stored, opens the vault and hands files over. */
async function runOn(url: string): Promise<void> {
  const restored = await startTestServer({ DATABASE_URL: url, THALAMUS_DATA_DIR: join(folder, 'twice') });
  try {
    const { memories } = await restored.ok('search_memory', { q: 'taxed saffron' });
    expect(memories[0]).toMatchObject({
      content: expect.stringContaining('Saffron is taxed — "twice" \\ in Tessaly.\n\t'),
    });
    const authorization = { headers: { authorization: `Bearer ${restored.key}` } };
    const response = await restored.request(`/v1/documents/${documentId}/content`, authorization);
    expect(largeFile.length).toBeGreaterThan(2_000_000);
    expect(Buffer.from(await response.arrayBuffer()).equals(largeFile)).toBe(true);
    await restored.ok('set_variable', { var_scope: 'org', var_name: 'AFTER', value: 'secret' });
  } finally {
    await restored.close();
  }
}

test('a torn, altered or newer backup is refused, and so are a place in use and a missing key; nothing is stored', async () => {
  const url = await createEmptyDatabase('never_restored');
  const copy = join(folder, 'copy.tar.gz');
  const refuse = async (bytes: Buffer, message: RegExp) => {
    writeFileSync(copy, bytes);
    await expect(restore(copy, createCommand(url, 'never'))).rejects.toThrow(message);
  };
  const whole = readFileSync(file);
  const tar = gunzipSync(whole);
  const altered = Buffer.from(tar);
  altered.write('tolls', tar.indexOf('harbour toll')); // of the same length: nothing but the hash can tell
  const before = tar.toString('latin1');
  const newer = Buffer.from(before.replace('"0001-accounts"', '"9999-tomorrow"'), 'latin1');
  const later = Buffer.from(before.replace('"version": 1,', '"version": 7,'), 'latin1');
  await refuse(gzipSync(altered), /incomplete, was altered/);
  await refuse(whole.subarray(0, whole.length - 3_000), /incomplete, was altered/);
  await refuse(gzipSync(tar.subarray(0, tar.length - 20_000)), /incomplete, was altered/);
  await refuse(Buffer.from('no backup'), /incomplete, was altered, or is not a backup/);
  await refuse(gzipSync(newer), /newer version of Thalamus/);
  await refuse(gzipSync(later), /newer version of Thalamus/);
  const elsewhere = Buffer.from(before.replace('"schema": "public"', '"schema": "pubLic"'), 'latin1');
  await refuse(gzipSync(elsewhere), /The backup was altered/);
  await expect(restore(file, createCommand(url, 'never', otherKey))).rejects.toThrow(
    /need the master key of its server/,
  );
  expect(await readDatabaseContents(url)).toEqual({ sequences: [] });
  expect(existsSync(join(folder, 'never', 'blobs'))).toBe(false);
  await expect(restore(file, createCommand(source.connectionString, 'never'))).rejects.toThrow(
    /The database is not empty/,
  );
});
