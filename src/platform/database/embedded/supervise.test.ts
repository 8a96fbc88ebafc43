import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  killServer,
  query,
  getReadyDataDir,
  runEmbeddedPostgres,
  findServerProcess,
  waitUntilTrue,
} from '../../../../tests/support/embedded-postgres-process.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts';

type StartedServer = EmbeddedPostgres & { dataDir: string; log: string[] };

async function startPostgres(): Promise<StartedServer> {
  const dataDir = await getReadyDataDir();
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: (line) => log.push(line) });
  onTestFinished(() => postgres.stop());
  return { ...postgres, dataDir, log };
}

test('a killed server restarts with everything that was committed', async () => {
  const { connection, dataDir, log } = await startPostgres();
  await query(connection, 'drop table if exists notes; create table notes as select 1 as id');
  await killServer(dataDir);
  await waitUntilTrue(async () => (await query(connection, 'select * from notes')).length === 1);
  await waitUntilTrue(() => log.includes(`PostgreSQL is back (process ${findServerProcess(dataDir)}).`));
});

test('a server that is killed twice restarts twice', async () => {
  const { connection, dataDir } = await startPostgres();
  for (let times = 0; times < 2; times += 1) {
    await killServer(dataDir);
    await waitUntilTrue(async () => (await query(connection, 'select 1')).length === 1);
  }
});

test('a server that cannot restart is retried until it can, and the log gives the reason', async () => {
  const { connection, dataDir, log } = await startPostgres();
  const place = join(dataDir, 'postgres');
  renameSync(place, `${place}-away`);
  const away = { ...connection, host: `${place}-away` };
  await query(
    away,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'thalamus in charge%'`,
  );
  await waitUntilTrue(() => log.some((line) => line.includes(`PostgreSQL did not start on ${place}`)));
  renameSync(`${place}-away`, place);
  await waitUntilTrue(() => log.some((line) => line.startsWith('PostgreSQL is back')));
});

test('after the crash of one session the same process stays in charge', async () => {
  const { connection, dataDir, log } = await startPostgres();
  const server = findServerProcess(dataDir);
  const crash = `do $$ begin execute format('copy (select 1) to program %L', 'kill -9 ' || pg_backend_pid()); end $$`;
  await expect(query(connection, crash)).rejects.toThrow();
  await waitUntilTrue(() => log.some((line) => line.startsWith('PostgreSQL is back')));
  expect(findServerProcess(dataDir)).toBe(server);
  const second = await runEmbeddedPostgres(dataDir);
  expect(second.refusal).toContain(`(process ${process.pid}) is running`);
});

test('stopping twice, also during a restart, leaves nothing running', async () => {
  const { dataDir, stop, log } = await startPostgres();
  await killServer(dataDir);
  await waitUntilTrue(() => log.some((line) => line.includes('broke')));
  await Promise.all([stop(), stop()]);
  await stop();
  expect(findServerProcess(dataDir)).toBeUndefined();
});

test('a server that dies while it is stopped causes no error', async () => {
  const { dataDir, stop } = await startPostgres();
  process.kill(findServerProcess(dataDir) ?? 0, 'SIGKILL');
  await stop();
  expect(findServerProcess(dataDir)).toBeUndefined();
});
