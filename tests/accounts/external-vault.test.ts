import { randomBytes } from 'node:crypto';
import { createLog } from '#platform/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/configuration.ts';
import { rotateMasterKey, startServer } from '../../src/server.ts';
import { startVaultEmulator, type VaultEmulator } from '#emulators/vault/index';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { reachServer, type ReachedServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';

const ownerKey = `cm_${'external'.repeat(5)}`;
const [oldRoot, newRoot] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
let vault: VaultEmulator;
let outside: HttpRecorder;
let database: OwnerDatabase;
let drop: () => Promise<void>;
let settings: (more?: Record<string, string>) => Record<string, string>;

beforeAll(async () => {
  [vault, outside] = [await startVaultEmulator(), await startHttpRecorder()];
  const made = await createTestDatabase();
  [database, drop] = [await openAsOwner(made.connectionString), made.drop];
  settings = (more = {}) => ({
    NODE_ENV: 'test',
    DATABASE_URL: made.connectionString,
    THALAMUS_BOOTSTRAP_KEY: ownerKey,
    THALAMUS_MASTER_KEY: oldRoot ?? '',
    THALAMUS_EGRESS_ALLOW: outside.url,
    ...more,
  });
});
afterAll(async () => {
  await database.close();
  await drop();
  await Promise.all([vault.close(), outside.close()]);
});
beforeEach(() => void (vault.failWith = null));

const withVault = () => settings({ THALAMUS_VAULT_URL: vault.url, THALAMUS_VAULT_TOKEN: vault.token });

async function withServer<T>(env: Record<string, string>, work: (server: ReachedServer) => Promise<T>): Promise<T> {
  const port = await findFreePort();
  const server = await startServer(readConfig({ ...env, PORT: String(port) }), createLog('silent'));
  try {
    return await work(reachServer(`http://127.0.0.1:${port}`, ownerKey));
  } finally {
    await server.close();
  }
}

const set = (server: ReachedServer, var_name: string, value: string) =>
  server.call('set_variable', { var_scope: 'org', var_name, value, hosts: [new URL(outside.url).host] });

/** The data sent to the external vault for a variable. */
async function readSentValue(server: ReachedServer, name: string): Promise<string | undefined> {
  const { variables } = await server.ok('list_variables', { var_scope: 'org' });
  const { handle } = (variables as { name: string; handle: string }[]).find((each) => each.name === name) ?? {};
  const answer = await server.call('http_fetch', { url: outside.url, headers: { 'x-value': handle } });
  return answer.status === 200 ? String(outside.requests.at(-1)?.headers['x-value']) : String(answer.body['code']);
}
const readStoredValue = async (name: string) =>
  String((await database.rows('select value from variables where name = $1', [name]))[0]?.['value']);

describe('an external vault', () => {
  test('keeps new secrets, opens them at their place only, and the database has references', async () => {
    await withServer(settings(), (server) => set(server, 'BEFORE', 'value-before'));
    await withServer(withVault(), async (server) => {
      await set(server, 'ONE', 'value-one');
      await set(server, 'TWO', 'value-two');
      expect(await readStoredValue('BEFORE')).toMatch(/^local:v1:/);
      expect(await readStoredValue('ONE')).toMatch(/^vault:[0-9a-f]{40}\.1$/);
      expect(await database.dump()).not.toMatch(/value-(one|two|before)/);
      expect([...vault.secrets.values()].flat().map(({ data }) => data?.['value'])).toEqual(['value-one', 'value-two']);
      for (const name of ['BEFORE', 'ONE', 'TWO'])
        expect(await readSentValue(server, name)).toBe(`value-${name.toLowerCase()}`);
      await database.rows(`update variables set value = $1 where name = 'TWO'`, [await readStoredValue('ONE')]);
      expect(await readSentValue(server, 'TWO')).toBe('internal');
      await set(server, 'TWO', 'value-two-again');
      expect(await readSentValue(server, 'TWO')).toBe('value-two-again');
    });
  });

  test('that does not answer, is sealed or has lost a secret is reported, and nothing is stored', async () => {
    await withServer(withVault(), async (server) => {
      for (const status of [503, 500, 403]) {
        vault.failWith = status;
        expect((await set(server, 'THREE', 'value-three')).body).toMatchObject({ code: 'unavailable' });
        expect(await readSentValue(server, 'ONE')).toBe('unavailable');
      }
      vault.failWith = null;
      expect(await readSentValue(server, 'ONE')).toBe('value-one');
      expect(await readStoredValue('THREE')).toBe('undefined');
      vault.secrets.clear();
      expect(await readSentValue(server, 'ONE')).toBe('unavailable');
    });
  });

  /** The secrets in the vault, in any version. */
  const keptValues = () => [...vault.secrets.values()].flat().flatMap(({ data }) => data?.['value'] ?? []);
  const aMinutePasses = () => database.rows(`update secrets_to_forget set since = since - interval '1 minute'`);
  /** They are kept until no process can be reading them. */
  async function eventually(...values: string[]): Promise<void> {
    expect(keptValues()).toEqual(expect.arrayContaining(values));
    await aMinutePasses();
    for (const value of values) await expect.poll(keptValues).not.toContain(value);
  }

  test('deletes secrets that are deleted or replaced', async () => {
    await withServer(withVault(), async (server) => {
      await set(server, 'GONE', 'value-gone');
      await set(server, 'CHANGED', 'value-before-it-changed');
      await set(server, 'CHANGED', 'value-after-it-changed');
      await server.ok('delete_variable', { var_scope: 'org', var_name: 'GONE' });
      await eventually('value-gone', 'value-before-it-changed');
      expect(await readSentValue(server, 'CHANGED')).toBe('value-after-it-changed');
    });
  });

  test('deletes the secrets of a deleted brain and of a deleted OAuth client', async () => {
    await withServer(withVault(), async (server) => {
      const { brain_id } = await server.ok('create_brain', { name: 'Short-lived' });
      const inBrain = { var_scope: 'brain', scope_id: brain_id, var_name: 'OF_BRAIN', value: 'value-of-brain' };
      await server.ok('set_variable', { ...inBrain, hosts: ['api.example.com'] });
      const client = { provider: 'notion', client_id: 'c', client_secret: 'secret-of-client' };
      await server.ok('configure_oauth_provider', client);
      expect(keptValues()).toEqual(expect.arrayContaining(['value-of-brain', 'secret-of-client']));
      await server.ok('delete_brain', { brain_id, confirm: 'Short-lived Brain' });
      await server.ok('remove_oauth_provider', { provider: 'notion' });
      await eventually('value-of-brain', 'secret-of-client');
      await server.ok('configure_oauth_provider', { ...client, client_secret: 'secret-set-anew' });
      expect(keptValues()).toContain('secret-set-anew');
      await server.ok('remove_oauth_provider', { provider: 'notion' });
    });
  });

  test('deletes the token of an unlinked account; if the vault is down, a later server does it', async () => {
    outside.answer = { body: '[]', headers: { 'content-type': 'application/json' } };
    const link = (server: ReachedServer, path: string) =>
      server.ok('connect_with_token', { provider: 'http_json', url: outside.url + path, token: `token-of-${path}` });
    const unlink = (server: ReachedServer, { connection_id }: { connection_id: string }) =>
      server.ok('revoke_connected_account', { connection_id });
    await withServer(withVault(), async (server) => {
      const [one, two] = [await link(server, '/one'), await link(server, '/two')];
      await unlink(server, one);
      await eventually('token-of-/one');
      vault.failWith = 503;
      expect(await unlink(server, two)).toMatchObject({ revoked: true });
      await aMinutePasses();
    });
    vault.failWith = null;
    expect(keptValues()).toContain('token-of-/two');
    await withServer(withVault(), () => eventually('token-of-/two'));
    outside.answer = {};
  });

  test('lets the root key be rotated while a server runs', async () => {
    const rotating = {
      ...withVault(),
      THALAMUS_MASTER_KEY: newRoot ?? '',
      THALAMUS_MASTER_KEY_PREVIOUS: oldRoot ?? '',
    };
    await withServer(rotating, async (server) => {
      await set(server, 'FOUR', 'value-four');
      expect(await readSentValue(server, 'BEFORE')).toBe('value-before');
      expect(await rotateMasterKey(readConfig(rotating), createLog('silent'))).toMatchObject({ rewrapped: 1 });
      for (const name of ['BEFORE', 'FOUR'])
        expect(await readSentValue(server, name)).toBe(`value-${name.toLowerCase()}`);
    });
    const after = { ...withVault(), THALAMUS_MASTER_KEY: newRoot ?? '' };
    expect(await withServer(after, (server) => readSentValue(server, 'BEFORE'))).toBe('value-before');
  });
});

test('in production replaces the master key, and half of its settings are refused', () => {
  const production = { NODE_ENV: 'production', THALAMUS_VAULT_URL: 'https://vault.example.com' };
  expect(readConfig({ ...production, THALAMUS_VAULT_TOKEN: 't' }).masterKey).toBeNull();
  expect(() => readConfig(production)).toThrow(/belong together/);
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/THALAMUS_MASTER_KEY is required/);
});
