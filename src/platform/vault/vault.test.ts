import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db, Transactions } from '#kernel/database';
import { createAppPool, createTransactions, createKysely } from '#platform/database';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createVault, generateRootKey, createLocalRootKey, type VaultColumn, type Vault } from './index.ts';

let transactions: Transactions;
let close: () => Promise<void>;
let workspaceId: string;
let place: VaultColumn;

beforeAll(async () => {
  const database = await createTestDatabase();
  const db = createKysely<unknown>(createAppPool(database.connection, 8));
  transactions = createTransactions(db);
  close = async () => {
    await db.destroy();
    await database.drop();
  };
});
afterAll(() => close());
beforeEach(async () => {
  workspaceId = await addWorkspace();
  place = { workspaceId, table: 'connections', row: randomUUID(), column: 'refresh_token' };
});

const createRootKey = () => createLocalRootKey(randomBytes(32).toString('base64'));
const root = createRootKey();

function createTestVault(current = root, previous = current): Vault {
  return createVault({ current, previous, newId: randomUUID, now: () => new Date() });
}

function runInWorkspace<T>(work: (db: Db) => Promise<T>, id = workspaceId): Promise<T> {
  return transactions.run(id, 'write', work);
}

async function addWorkspace(): Promise<string> {
  const id = randomUUID();
  await runInWorkspace(async (db) => {
    await sql`insert into workspaces (id, name, created_at) values (${id}, 'W', now())`.execute(db);
  }, id);
  return id;
}

const seal = (secret: string, vault = createTestVault()) => runInWorkspace((db) => vault.seal(db, place, secret));
const open = (sealed: string, at = place, vault = createTestVault()) =>
  runInWorkspace((db) => vault.open(db, at, sealed), at.workspaceId);

test('a workspace whose newest data key is lost with its root key can seal again, and keeps the lost data keys in case the root key is found', async () => {
  const lost = createRootKey();
  const before = await seal('sealed before', createTestVault(lost));
  const now = createRootKey();
  const vault = createTestVault(now);
  const after = await seal('sealed after', vault);
  expect(await open(after, place, vault)).toBe('sealed after');
  await expect(open(before, place, vault)).rejects.toThrow(/root key/);
  const next = createTestVault(createRootKey(), now);
  expect(await runInWorkspace((db) => next.rewrap(db, workspaceId))).toBe(1);
  expect(await open(after, place, next)).toBe('sealed after');
  expect(await open(before, place, createTestVault(now, lost))).toBe('sealed before');
});

describe('a sealed secret', () => {
  test('opens again, whatever text it is', async () => {
    const vault = createTestVault();
    const property = fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 5_000 }), async (secret) => {
      expect(await open(await seal(secret, vault), place, vault)).toBe(secret);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  test('names its data key, contains nothing of the secret, and differs each time', async () => {
    const [first, second] = [await seal('the same'), await seal('the same')];
    const [key] = await runInWorkspace(
      async (db) => (await sql<{ id: string }>`select id from data_keys`.execute(db)).rows,
    );
    for (const sealed of [first, second]) {
      expect(sealed).toMatch(new RegExp(`^local:v1:${key?.id}:[A-Za-z0-9+/]+=*$`));
      expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64').toString('latin1')).not.toContain('same');
    }
    expect(first).not.toBe(second);
  });

  test('opens only in its own place', async () => {
    const sealed = await seal('mine');
    for (const elsewhere of [
      { ...place, row: randomUUID() },
      { ...place, column: 'access_token' },
      { ...place, table: 'provider_configs' },
    ]) {
      await expect(open(sealed, elsewhere)).rejects.toThrow(/unable to authenticate/);
    }
    expect(await open(sealed)).toBe('mine');
  });

  test('does not open in another workspace, not even with a copy of its data key', async () => {
    const sealed = await seal('mine');
    const elsewhere = { ...place, workspaceId: await addWorkspace() };
    await expect(open(sealed, elsewhere)).rejects.toThrow(/data key of a sealed secret is missing/);
    const [, , keyId] = sealed.split(':');
    const copied = randomUUID();
    const { wrapped } = await runInWorkspace(async (db) => {
      const { rows } = await sql<{ wrapped: Buffer }>`select wrapped from data_keys where id = ${keyId}`.execute(db);
      return rows[0] ?? { wrapped: Buffer.alloc(0) };
    });
    await runInWorkspace(async (db) => {
      await sql`insert into data_keys (id, workspace_id, wrapped, root_key_id, created_at)
        values (${copied}, ${elsewhere.workspaceId}, ${wrapped}, ${root.id}, now())`.execute(db);
    }, elsewhere.workspaceId);
    await expect(open(sealed.replace(keyId ?? '', copied), elsewhere)).rejects.toThrow(/unable to authenticate/);
  });

  test('with any bit flipped does not open', async () => {
    const vault = createTestVault();
    const sealed = await seal('mine', vault);
    const [scheme, version, keyId, body = ''] = sealed.split(':');
    const bytes = Buffer.from(body, 'base64');
    const bit = fc.integer({ min: 0, max: bytes.length * 8 - 1 });
    const property = fc.asyncProperty(bit, async (position) => {
      const turned = Buffer.from(bytes);
      turned[position >> 3]! ^= 1 << (position & 7);
      const text = [scheme, version, keyId, turned.toString('base64')].join(':');
      await expect(open(text, place, vault)).rejects.toThrow(/unable to authenticate/);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test.for(['', 'plain text', 'local:v1', 'local:v2:x:y', 'kms:v1:x:y'])('cannot be the text «%s»', async (text) => {
    await expect(open(text)).rejects.toThrow(/not a sealed secret/);
  });

  test('cut short does not open', async () => {
    const sealed = await seal('mine');
    for (const length of [1, 12, 16, 20, 24, 28, 31]) {
      const [scheme, version, keyId, body = ''] = sealed.split(':');
      const cut = Buffer.from(body, 'base64').subarray(0, length).toString('base64');
      await expect(open([scheme, version, keyId, cut].join(':')), String(length)).rejects.toThrow(
        /tag|initialization vector|authenticate/,
      );
    }
  });
});

describe('data keys', () => {
  const count = () =>
    runInWorkspace(
      async (db) => (await sql<{ n: number }>`select count(*)::int as n from data_keys`.execute(db)).rows[0]?.n,
    );

  test('are created once when several processes seal at once', async () => {
    const sealed = await Promise.all(Array.from({ length: 8 }, (_, each) => seal(`secret ${each}`, createTestVault())));
    expect(await count()).toBe(1);
    expect(await Promise.all(sealed.map((text) => open(text)))).toEqual(sealed.map((_, each) => `secret ${each}`));
  });

  test('are wrapped: neither the row nor the root key alone is enough', async () => {
    const sealed = await seal('mine');
    await expect(open(sealed, place, createTestVault(createRootKey()))).rejects.toThrow(
      new RegExp(`wrapped by the root key ${root.id}, which is not set`),
    );
  });
});

describe('rotation', () => {
  test('open under both root keys during and after rotation, and then the old root key opens nothing', async () => {
    const next = createRootKey();
    const sealed = await seal('mine', createTestVault(root));
    const during = createTestVault(next, root);
    expect(await open(sealed, place, during)).toBe('mine');
    expect(await runInWorkspace((db) => during.rewrap(db, workspaceId))).toBe(1);
    expect(await runInWorkspace((db) => during.rewrap(db, workspaceId))).toBe(0);
    expect(await open(sealed, place, createTestVault(next))).toBe('mine');
    expect(await open(await seal('newer', createTestVault(next)), place, createTestVault(next))).toBe('newer');
    await expect(open(sealed, place, createTestVault(root))).rejects.toThrow(/root key .* which is not set/);
  });
});

describe('the generated root key', () => {
  test('is created once, for its owner only, and found again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'thalamus-vault-'));
    try {
      const dataDir = join(folder, 'data');
      const key = generateRootKey(dataDir);
      expect(Buffer.from(key, 'base64')).toHaveLength(32);
      expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
      expect(generateRootKey(dataDir)).toBe(key);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('of the wrong length is refused', () => {
    expect(() => createLocalRootKey(randomBytes(31).toString('base64'))).toThrow(/32 bytes/);
  });
});
