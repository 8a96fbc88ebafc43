import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/index.ts';
import { createTemporaryFolder } from '../support/embedded-postgres-process.ts';
import { startTestServer } from '../support/server.ts';
import { openSwitch, startStandby } from '../support/standby.ts';

test('after an asynchronous standby took over, every memory stored since is found, by a process that had read more', async () => {
  const folder = createTemporaryFolder();
  const dataDir = join(folder, 'primary');
  const primary = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  onTestFinished(() => primary.stop());
  const door = await openSwitch(primary.connection);
  onTestFinished(() => door.close());
  const server = await startTestServer({ DATABASE_URL: door.connectionString, THALAMUS_LOG_LEVEL: 'silent' });
  onTestFinished(() => server.close());
  await server.ok('add_memory', { content: 'Crate zero is at the weir.' });
  expect(await countMemories(server, 'crate zero')).toBe(1);

  const standby = await startStandby(primary.connection, dataDir, join(folder, 'standby'));
  onTestFinished(() => standby.stop());
  await standby.cutOff();
  // These are only on the primary. The process has seen their transaction ids, which the standby assigns again.
  for (let n = 0; n < 30; n += 1) await server.ok('add_memory', { content: `Lost crate l${n}x is at the weir.` });
  expect(await countMemories(server, 'l29x')).toBe(1);

  await primary.stop();
  await standby.promote();
  door.leadTo(standby.connection);
  await expect.poll(async () => (await server.call('list_brains')).status, { timeout: 30_000 }).toBe(200);
  const missing: number[] = [];
  for (let n = 0; n < 60; n += 1) {
    await server.ok('add_memory', { content: `Later crate n${n}x is at the weir.` });
    if ((await countMemories(server, `n${n}x`)) !== 1) missing.push(n);
  }
  expect(missing).toEqual([]);
  expect(await countMemories(server, 'crate zero')).toBeGreaterThan(0);
}, 180_000);

async function countMemories(server: Awaited<ReturnType<typeof startTestServer>>, q: string): Promise<number> {
  const { memories } = await server.ok('search_memory', { q: `"${q}"` });
  return memories.length;
}
