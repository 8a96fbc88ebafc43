import { createLog } from '#platform/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

const createMasterKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');
let database: Awaited<ReturnType<typeof createTestDatabase>>;

/** A database with a secret that the key of byte 7 seals. */
beforeAll(async () => {
  database = await createTestDatabase();
  const server = await startTestServer({
    DATABASE_URL: database.connectionString,
    THALAMUS_MASTER_KEY: createMasterKey(7),
  });
  await server.ok('set_variable', { var_scope: 'org', var_name: 'TOKEN', value: 'of-tessaly' });
  await server.close();
});
afterAll(() => database.drop());

const start = (settings: Record<string, string>) =>
  startServer(
    readConfig({ NODE_ENV: 'test', PORT: '0', DATABASE_URL: database.connectionString, ...settings }),
    createLog('silent'),
  );

test('a server with another master key does not start, and names the setting', async () => {
  await expect(start({ THALAMUS_MASTER_KEY: createMasterKey(8) })).rejects.toThrow(
    /sealed with another master key .* Set THALAMUS_MASTER_KEY to that key/,
  );
});

test('a server starts with the key, and with another one beside it as the previous', async () => {
  await (await start({ THALAMUS_MASTER_KEY: createMasterKey(7) })).close();
  await (
    await start({ THALAMUS_MASTER_KEY: createMasterKey(8), THALAMUS_MASTER_KEY_PREVIOUS: createMasterKey(7) })
  ).close();
});
