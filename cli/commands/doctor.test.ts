import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createSandbox } from '#platform/sandbox';
import { createLocalRootKey } from '#platform/vault';
import { afterEach, expect, inject, test } from 'vitest';
import { administer, createTestDatabase } from '../../tests/support/postgres.ts';
import { checkLogin, checkMasterKey, checkSandbox, runCheck } from './doctor.ts';

const login = `doctor_${process.pid}`;
afterEach(() => administer(inject('postgres'), `drop role if exists ${login}`));

const runSandboxCheck = (options: { findDeno?: () => string }) =>
  runCheck({ name: 'sandbox', run: () => checkSandbox(createSandbox(options)) });

test('doctor says whether the sandbox can run here, and why it cannot', async () => {
  expect(await runSandboxCheck({})).toEqual({ name: 'sandbox', ok: true, message: 'Deno runs automations' });
  const without = await runSandboxCheck({ findDeno: () => '/nonexistent/deno' });
  expect(without).toMatchObject({ ok: false, message: expect.stringContaining('automations cannot run') });
});

test('doctor warns about one login for everything, and accepts a login that owns nothing', async () => {
  const database = await createTestDatabase();
  await administer(inject('postgres'), `create role ${login} login noinherit`);
  const check = (databaseUrl: string | null) => runCheck({ name: 'database', run: () => checkLogin({ databaseUrl }) });
  const one = await check(database.connectionString);
  expect(one).toMatchObject({ ok: true, is_warning: true, message: expect.stringContaining('is a superuser') });
  expect(one.message).toContain('THALAMUS_OWNER_DATABASE_URL');
  const two = await check(database.connectionString.replace('//thalamus@', `//${login}@`));
  expect(two).toEqual({
    name: 'database',
    ok: true,
    message: `calls are served by the login ${login}, which owns nothing`,
  });
  expect(await check(null)).toMatchObject({ ok: true, message: expect.stringContaining('owns nothing') });
  await database.drop();
});

test('doctor reports a master key that does not open the stored secrets', async () => {
  const database = await createTestDatabase();
  const right = randomBytes(32).toString('base64');
  const client = new Client(database.connection);
  await client.connect();
  await client.query(
    `insert into workspaces (id, name, created_at) values ('${randomUUID()}', 'W', now());
     insert into data_keys (id, workspace_id, wrapped, root_key_id, created_at)
       select gen_random_uuid(), id, ''::bytea, '${createLocalRootKey(right).id}', now() from workspaces`,
  );
  await client.end();
  const settings = { databaseUrl: database.connectionString, ownerDatabaseUrl: null, dataDir: '/nonexistent' };
  const check = (masterKey: string | null, previousMasterKey: string | null = null) =>
    runCheck({ name: 'secrets', run: () => checkMasterKey({ ...settings, masterKey, previousMasterKey }) });
  expect(await check(right)).toEqual({ name: 'secrets', ok: true, message: 'the master key opens the stored secrets' });
  const other = randomBytes(32).toString('base64');
  expect(await check(other, right)).toMatchObject({ ok: true });
  for (const wrong of [other, null])
    expect(await check(wrong)).toMatchObject({ ok: false, message: expect.stringContaining('THALAMUS_MASTER_KEY') });
  await database.drop();
});
