import { createLog } from '#platform/log';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { startServer } from '../../src/server.ts';
import { copyDataDir, query } from '../support/embedded-postgres-process.ts';
import { findRunningPostgres } from '../../src/platform/database/embedded/index.ts';
import { reachServer } from '../support/server.ts';

test('the embedded database serves calls by a login that owns nothing and may read nothing by itself', async () => {
  const dataDir = await copyDataDir();
  const key = `cm_${'embedded'.repeat(5)}`;
  const settings = { NODE_ENV: 'test', PORT: '0', THALAMUS_DATA_DIR: dataDir, THALAMUS_BOOTSTRAP_KEY: key };
  const server = await startServer(readConfig(settings), createLog('silent'));
  try {
    await reachServer(server.url, key).ok('add_memory', { content: 'The weir is low.' });
    const owner = findRunningPostgres(dataDir)!;
    const sessions = await query(
      owner,
      `select distinct usename from pg_stat_activity where application_name = 'thalamus'`,
    );
    expect(sessions).toEqual([{ usename: 'thalamus_server' }]);
    const login = { ...owner, user: 'thalamus_server' };
    expect(await query(login, 'select rolsuper, rolinherit from pg_roles where rolname = session_user')).toEqual([
      { rolsuper: false, rolinherit: false },
    ]);
    await expect(query(login, 'select * from memories')).rejects.toThrow('permission denied');
  } finally {
    await server.close();
  }
}, 60_000);
