import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  copyDataDir,
  killServer,
  query,
  getReadyDataDir,
  runEmbeddedPostgres,
  findServerProcess,
  createTemporaryFolder,
  waitUntilTrue,
} from '../../../../tests/support/embedded-postgres-process.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';

const settings = { fsync: 'off' };

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  onTestFinished(() => postgres.stop());
  return postgres;
}

test('a second start finds the stored rows, in less than a second', async () => {
  const dataDir = await getReadyDataDir();
  const first = await start(dataDir);
  await query(first.connection, 'drop table if exists notes; create table notes as select 1 as id');
  await first.stop();
  const began = performance.now();
  const second = await start(dataDir);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await query(second.connection, 'select * from notes')).toEqual([{ id: 1 }]);
});

test('text is UTF-8, its case is Unicode, times are UTC, and the server has no network port', async () => {
  const { connection } = await start(join(createTemporaryFolder(), 'data'));
  const statement = `select lower('ÄÖÉ') as lower, current_setting('server_encoding') as encoding,
    current_setting('timezone') as zone, current_setting('listen_addresses') as addresses`;
  const expected = { lower: 'äöé', encoding: 'UTF8', zone: 'UTC', addresses: '' };
  expect(await query(connection, statement)).toEqual([expected]);
});

test('the folder may have any name', async () => {
  const { connection } = await start(await copyDataDir(`it's "hére", or 数据`));
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a folder whose path is too long for a socket has its socket elsewhere while it runs', async () => {
  const dataDir = await copyDataDir('long'.repeat(30));
  const killed = await runEmbeddedPostgres(dataDir);
  const leftBehind = killed.connection?.host ?? '';
  expect(Buffer.byteLength(leftBehind)).toBeLessThan(80);
  await killed.end('SIGKILL');
  await killServer(dataDir);
  expect(existsSync(leftBehind)).toBe(true);

  const { connection, stop } = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow('Another Thalamus');
  // The socket must be in the same place after the server has restarted.
  await killServer(dataDir);
  await waitUntilTrue(async () => (await query(connection, 'select 1')).length === 1);
  await stop();
  expect([leftBehind, connection.host].filter((dir) => existsSync(dir))).toEqual([]);
});

test('a database of another PostgreSQL version is refused with what to do', async () => {
  const dataDir = await copyDataDir();
  for (const version of ['17', '19']) {
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`);
    await expect(start(dataDir)).rejects.toThrow(
      `The database in ${dataDir}/postgres was made by PostgreSQL ${version}, and this Thalamus brings PostgreSQL 18`,
    );
  }
});

test('a non-empty folder without a database is left unchanged', async () => {
  const dataDir = createTemporaryFolder();
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'photo.jpg'), '');
  await expect(start(dataDir)).rejects.toThrow('is not empty and contains no PostgreSQL database');
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['photo.jpg']);
});

test('a setting that PostgreSQL does not know stops the start with PostgreSQL’s message', async () => {
  const dataDir = await getReadyDataDir();
  const wrong = startEmbeddedPostgres({ dataDir, settings: { ...settings, nonsense: 'on' } });
  await expect(wrong).rejects.toThrow(/did not start.*unrecognized configuration parameter "nonsense".*DATABASE_URL/);
  expect(findServerProcess(dataDir)).toBeUndefined();
});
