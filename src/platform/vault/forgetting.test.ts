import { randomBytes, randomUUID } from 'node:crypto';
import { newId, now } from '#platform/clock';
import { createAppPool, runAsSystem, createTransactions, createKysely } from '#platform/database';
import { createEgress, type Egress } from '#platform/egress';
import { createLog } from '#platform/log';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startVaultEmulator, type VaultEmulator } from '#emulators/vault/index';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { createExternalVault, createForgetting, createVault, createLocalRootKey, type Vault } from './index.ts';

let server: TestServer;
let database: OwnerDatabase;
let workspaces: string[];
let outside: VaultEmulator;
let egress: Egress;
let vault: Vault;
const createDb = () => createKysely<unknown>(createAppPool({ connectionString: server.connectionString }, 3));

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  await addWorkspace(server);
  workspaces = (await database.rows('select id from workspaces order by created_at')).map(({ id }) => String(id));
});
afterAll(async () => {
  await database.close();
  await server.close();
});
beforeEach(async () => {
  outside = await startVaultEmulator();
  egress = createEgress({ allow: [] });
  const there = { url: outside.url, token: outside.token, mount: outside.mount, path: 'thalamus', namespace: null };
  const local = createVault({ current: createLocalRootKey(randomBytes(32).toString('base64')), newId, now });
  vault = createExternalVault(egress, there, local);
});
afterEach(async () => {
  await egress.close();
  await outside.close();
  await database.rows('delete from secrets_to_forget');
});

/** Seals a secret in each workspace and removes it, so that it is due for deletion. */
async function leave({ isWhole }: { isWhole: boolean }): Promise<void> {
  const bound = createDb();
  for (const workspaceId of workspaces) {
    const place = { workspaceId, table: 'variables', row: randomUUID(), column: 'value' };
    const sealed = await createTransactions(bound).run(workspaceId, 'write', (inner) =>
      vault.seal(inner, place, isWhole ? 'deleted' : 'replaced'),
    );
    await database.rows(
      `insert into secrets_to_forget (workspace_id, in_table, in_row, in_column, sealed, is_whole)
        values ($1, 'variables', $2, 'value', $3, $4)`,
      [workspaceId, place.row, sealed, isWhole],
    );
  }
  await bound.destroy();
}
const toForget = async () => (await database.rows('select from secrets_to_forget')).length;
/** The secrets that the vault still has. */
const listKeptSecrets = () => [...outside.secrets.values()].flat().flatMap(({ data }) => data?.['value'] ?? []);

/** Deletes removed secrets while `work` runs, which receives the log. `keptForMs` undefined: the default. */
async function runForgetting(work: (logged: string[]) => Promise<void>, keptForMs?: number): Promise<void> {
  const bound = createDb();
  const logged: string[] = [];
  const background = createForgetting({
    transactions: createTransactions(bound),
    vault,
    log: createLog('warn', { write: (line) => void logged.push(line) }),
    asSystem: (read) => runAsSystem(bound, read),
    ...(keptForMs !== undefined && { keptForMs }),
  });
  background.start();
  await work(logged).finally(() => background.stop());
  await bound.destroy();
}

test('a secret that the vault refuses to delete does not delay others, is reported once, and is reported again later', async () => {
  await leave({ isWhole: true });
  await leave({ isWhole: false });
  outside.denied.add('DELETE metadata');
  await runForgetting(async (logged) => {
    await expect.poll(listKeptSecrets).toEqual(['deleted', 'deleted']);
    await expect.poll(toForget).toBe(2);
    expect(logged).toHaveLength(1);
  }, 0);
  outside.denied.clear();
  await runForgetting(() => expect.poll(toForget).toBe(0), 0);
  expect(listKeptSecrets()).toEqual([]);
});

test('a reference that was read just before its secret was replaced still opens; a minute later it is deleted', async () => {
  await leave({ isWhole: false });
  await leave({ isWhole: true });
  await database.rows(`update secrets_to_forget set since = since - interval '61 seconds' where is_whole`);
  await runForgetting(() => expect.poll(listKeptSecrets).not.toContain('deleted'));
  expect(listKeptSecrets()).toEqual(['replaced', 'replaced']);
  expect(await toForget()).toBe(2);
  await database.rows(`update secrets_to_forget set since = since - interval '61 seconds'`);
  await runForgetting(() => expect.poll(listKeptSecrets).toEqual([]));
});

test('a vault that does not answer gets one request for each workspace, and then a pause', async () => {
  await leave({ isWhole: true });
  await leave({ isWhole: false });
  await outside.close();
  const asked: string[] = [];
  const { forget } = vault;
  vault.forget = (place, ...rest) => {
    asked.push(place.workspaceId);
    return forget(place, ...rest);
  };
  await runForgetting(async (logged) => {
    await expect.poll(() => logged).toHaveLength(1);
    await expect.poll(() => asked.toSorted()).toEqual(workspaces.toSorted());
  }, 0);
  expect(await toForget()).toBe(4);
});
