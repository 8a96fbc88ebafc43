import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  copiedDataDir,
  killServer,
  query,
  readyDataDir,
  serverOf,
  temporaryFolder,
} from '../../../../tests/support/embedded-postgres-process.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';

const settings = { fsync: 'off' };

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  onTestFinished(() => postgres.stop());
  return postgres;
}

test('the second start finds what the first has stored, in less than a second', async () => {
  const dataDir = await readyDataDir();
  const first = await start(dataDir);
  await query(first.connection, 'drop table if exists notes; create table notes as select 1 as id');
  await first.stop();
  const began = performance.now();
  const second = await start(dataDir);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await query(second.connection, 'select * from notes')).toEqual([{ id: 1 }]);
});

test('text is UTF-8, its case is Unicode, times are UTC, and nothing listens on the network', async () => {
  const { connection } = await start(join(temporaryFolder(), 'data'));
  const statement = `select lower('ÄÖÉ') as lower, current_setting('server_encoding') as encoding,
    current_setting('timezone') as zone, current_setting('listen_addresses') as addresses`;
  const expected = { lower: 'äöé', encoding: 'UTF8', zone: 'UTC', addresses: '' };
  expect(await query(connection, statement)).toEqual([expected]);
});

test('the folder may have any name', async () => {
  const { connection } = await start(await copiedDataDir(`it's "hére", or 数据`));
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a folder whose path is too long for a socket gets its socket elsewhere, which is gone after the stop', async () => {
  const dataDir = await copiedDataDir('long'.repeat(30));
  const first = await start(dataDir);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(Buffer.byteLength(first.connection.host)).toBeLessThan(80);
  await expect(start(dataDir)).rejects.toThrow('Another Thalamus');
  // The socket has to be there again when the server is.
  await killServer(dataDir);
  await expect.poll(() => query(first.connection, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
  await first.stop();
  expect(readdirSync(dirname(first.connection.host))).not.toContain(first.connection.host.split('/').at(-1));
});

test('a database made by another version of PostgreSQL is refused, saying what to do', async () => {
  const dataDir = await copiedDataDir();
  for (const version of ['17', '19']) {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`);
    await expect(start(dataDir)).rejects.toThrow(
      `The database in ${dataDir}/postgres was made by PostgreSQL ${version}, and this Thalamus brings PostgreSQL 18`,
    );
  }
});

test('a folder in the place of the database that holds something else is left alone', async () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'photo.jpg'), '');
  await expect(start(dataDir)).rejects.toThrow('is not empty and holds no PostgreSQL database');
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['photo.jpg']);
});

test('a setting that PostgreSQL does not know stops the start with its own words', async () => {
  const dataDir = await readyDataDir();
  const wrong = startEmbeddedPostgres({ dataDir, settings: { ...settings, nonsense: 'on' } });
  await expect(wrong).rejects.toThrow(/did not start.*unrecognized configuration parameter "nonsense".*DATABASE_URL/);
  expect(serverOf(dataDir)).toBeUndefined();
});
