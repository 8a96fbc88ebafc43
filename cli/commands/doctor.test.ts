import { createSandbox } from '#platform/sandbox';
import { afterEach, expect, inject, test } from 'vitest';
import { administer, createTestDatabase } from '../../tests/support/postgres.ts';
import { checkLogin, checkSandbox, runCheck } from './doctor.ts';

const login = `doctor_${process.pid}`;
afterEach(() => administer(inject('postgres'), `drop role if exists ${login}`));

const checked = (options: { findDeno?: () => string }) =>
  runCheck({ name: 'sandbox', run: () => checkSandbox(createSandbox(options)) });

test('doctor says whether the sandbox can run here, and why it cannot', async () => {
  expect(await checked({})).toEqual({ name: 'sandbox', ok: true, message: 'Deno runs automations' });
  const without = await checked({ findDeno: () => '/nonexistent/deno' });
  expect(without).toMatchObject({ ok: false, message: expect.stringContaining('automations cannot run') });
});

test('doctor warns of one login for everything, and is content with one that owns nothing', async () => {
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
