import { spawn } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
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
import { isRoot, readNobodyAccount } from './account.ts';
import { findRunningPostgres } from './find-running.ts';

test('a second start on the folder of a running server is refused with the folder and process in the error, and ends', async () => {
  const dataDir = await getReadyDataDir();
  const first = await runEmbeddedPostgres(dataDir);
  const second = await runEmbeddedPostgres(dataDir);
  expect(second.refusal).toContain(`(process ${first.pid}) is running on the data folder ${dataDir}`);
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.ended;
});

test('a command beside a running server finds it, and finds none when it has stopped or never ran', async () => {
  const dataDir = await getReadyDataDir();
  expect(findRunningPostgres(dataDir)).toBeNull();
  const run = await runEmbeddedPostgres(dataDir);
  const found = findRunningPostgres(dataDir);
  expect(found).toEqual(run.connection);
  expect(await query(found ?? undefined, 'select 1 as one')).toEqual([{ one: 1 }]);
  await run.end('SIGTERM');
  expect(findRunningPostgres(dataDir)).toBeNull();
  expect(findRunningPostgres(join(createTemporaryFolder(), 'nowhere'))).toBeNull();
});

test('of two starts at the same moment on an empty folder exactly one succeeds', async () => {
  const dataDir = join(createTemporaryFolder(), 'data');
  const both = await Promise.all([runEmbeddedPostgres(dataDir), runEmbeddedPostgres(dataDir)]);
  const winner = both.find((run) => run.connection);
  const loser = both.find((run) => run.refusal);
  expect(loser?.refusal).toContain(
    `Another Thalamus (process ${winner?.pid}) is running on the data folder ${dataDir}`,
  );
  expect(await query(winner?.connection, 'select current_database() as name')).toEqual([{ name: 'thalamus' }]);
  await winner?.end('SIGTERM');
  expect(findServerProcess(dataDir)).toBeUndefined();
});

test('a PostgreSQL that a killed process left running is taken over, and the new process stops it', async () => {
  const dataDir = await getReadyDataDir();
  const killed = await runEmbeddedPostgres(dataDir);
  await query(killed.connection, 'drop table if exists notes; create table notes as select 1 as id');
  const server = findServerProcess(dataDir);
  await killed.end('SIGKILL');
  expect(findServerProcess(dataDir)).toBe(server);

  const heir = await runEmbeddedPostgres(dataDir);
  expect(findServerProcess(dataDir)).toBe(server);
  expect(heir.log).toEqual([`Connected to the PostgreSQL (process ${server}) that was already running.`]);
  expect(await query(heir.connection, 'select * from notes')).toEqual([{ id: 1 }]);
  await heir.end('SIGTERM');
  expect(findServerProcess(dataDir)).toBeUndefined();
});

test('a process that exits without stopping its server stops PostgreSQL', async () => {
  const dataDir = await getReadyDataDir();
  const run = await runEmbeddedPostgres(dataDir);
  await run.end('SIGUSR2');
  await waitUntilTrue(() => findServerProcess(dataDir) === undefined);
});

test('committed rows survive a kill of all processes', async () => {
  const dataDir = await getReadyDataDir();
  const killed = await runEmbeddedPostgres(dataDir);
  await query(killed.connection, 'drop table if exists notes; create table notes as select 1 as id');
  await killed.end('SIGKILL');
  await killServer(dataDir);
  const next = await runEmbeddedPostgres(dataDir);
  expect(await query(next.connection, 'select * from notes')).toEqual([{ id: 1 }]);
});

test('a lock file whose process number now belongs to an unrelated process does not prevent the start', async () => {
  const dataDir = await getReadyDataDir();
  const killed = await runEmbeddedPostgres(dataDir);
  await killed.end('SIGKILL');
  await killServer(dataDir);
  // A process of the same account; PostgreSQL would recognise a process of another account as unrelated.
  const stranger = spawn('sleep', ['60'], isRoot() ? readNobodyAccount() : {});
  onTestFinished(() => void stranger.kill());
  for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const path = join(dataDir, 'postgres', lock);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(stranger.pid)));
  }
  const next = await runEmbeddedPostgres(dataDir);
  expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('an empty lock file, left by a full disk, does not prevent the start', async () => {
  const dataDir = await getReadyDataDir();
  const path = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(path, '');
  utimesSync(path, 0, 0);
  const run = await runEmbeddedPostgres(dataDir);
  expect(run.refusal).toBeUndefined();
});

test('a copy of a running server’s folder is a separate folder, and the original server keeps running', async () => {
  const dataDir = await getReadyDataDir();
  const original = await runEmbeddedPostgres(dataDir);
  await query(original.connection, 'checkpoint');
  const copy = await runEmbeddedPostgres(await copyDataDir());
  expect(await query(copy.connection, 'show data_directory')).not.toEqual(
    await query(original.connection, 'show data_directory'),
  );
  const lock = readFileSync(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), 'utf8');
  expect(Number(lock.split('\n')[0])).toBe(findServerProcess(dataDir));
});
