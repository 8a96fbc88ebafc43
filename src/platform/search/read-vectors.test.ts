import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import type { SnapshotMoment } from './moments.ts';
import { readVectors, type VectorChange } from './read-vectors.ts';

const [workspaceId, brainId] = [randomUUID(), randomUUID()];
const space = 'm/4';
/** More than two batches. */
const count = 4_500;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ ...database.connection, options: '-c role=thalamus_app', max: 2 }).on('error', () => {});
  await runInWorkspace(`
    insert into workspaces (id, name, created_at) values ('${workspaceId}', 'w', now());
    insert into brains (id, workspace_id, name, created_at) values ('${brainId}', '${workspaceId}', 'b', now());
    insert into embeddings (item_id, part, workspace_id, brain_id, space, text_hash, code)
      select gen_random_uuid(), n, '${workspaceId}', '${brainId}', '${space}', '', decode(lpad(to_hex(n), 8, '0'), 'hex')
      from generate_series(0, ${count - 1}) as n`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function runInWorkspace(statements: string): Promise<void> {
  await pool.query(`begin; select set_config('thalamus.workspace_id', '${workspaceId}', true); ${statements}; commit`);
}

async function read(of: { brainId: string } | { since: SnapshotMoment }, asked = space) {
  const changes: VectorChange[] = [];
  const snapshot = await readVectors(pool, { workspaceId, space: asked, of }, (some) => changes.push(...some));
  return { changes, snapshot };
}

/** The part of a vector that makes its code recognisable. */
const readCodeMark = (code: Int8Array | null) => code && Buffer.from(code).readUInt32BE();

test('every vector of a brain is read as it was stored, however many there are', async () => {
  const { changes } = await read({ brainId });
  expect(changes).toHaveLength(count);
  expect(changes.every(({ part, code }) => readCodeMark(code) === part)).toBe(true);
  expect(new Set(changes.map(({ part }) => part)).size).toBe(count);
  expect((await read({ brainId }, 'other/4')).changes).toEqual([]);
});

test('rows that changed since a snapshot are read, and nothing else', async () => {
  const { snapshot } = await read({ brainId });
  expect((await read({ since: snapshot })).changes).toEqual([]);
  await runInWorkspace(
    "update embeddings set code = null where part = 7; update embeddings set space = 'other/4' where part = 8",
  );
  const { changes } = await read({ since: snapshot });
  expect(changes.map(({ part, code }) => [part, code]).toSorted()).toEqual([
    [7, null],
    [8, null],
  ]);
});
