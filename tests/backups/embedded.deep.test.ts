import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { killServer, createTemporaryFolder } from '../support/embedded-postgres-process.ts';
import { startServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);
const key = `cm_${'embedded'.repeat(5)}`;
const main = join(import.meta.dirname, '../../cli/main.ts');

test('a server with the embedded database is backed up while it runs, and restored into a new folder', async () => {
  const folder = createTemporaryFolder();
  const file = join(folder, 'backup.tar.gz');
  const dataDir = join(folder, 'data');
  const newDir = join(folder, 'new');
  const settings = (dir: string) => ({
    NODE_ENV: 'test',
    THALAMUS_DATA_DIR: dir,
    THALAMUS_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  });
  const command = async (args: string[], dir: string) => {
    const { stderr } = await run(process.execPath, [main, ...args], {
      env: { PATH: process.env['PATH'], THALAMUS_LOG_LEVEL: 'error', ...settings(dir) },
    });
    return stderr;
  };
  onTestFinished(async () => {
    for (const dir of [dataDir, newDir]) await killServer(dir);
  });
  const server = await startServerProcess(settings(dataDir), key);
  await server.ok('add_memory', { content: 'Cranes nest at the weir.' });
  const said = await command(['backup', file], dataDir);
  expect(said).toMatch(/rows of \d+ tables and 0 files in .*backup.tar.gz[^]*master key is not included/);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(existsSync(`${file}.part`)).toBe(false);
  await expect(command(['backup', file], dataDir)).rejects.toThrow(/exists/);
  await expect(command(['restore', file], dataDir)).rejects.toThrow(/is not empty/);
  await server.ok('add_memory', { content: 'After the backup.' }); // the server went on
  await server.stop();

  expect(await command(['restore', file], newDir)).toMatch(/^Restored \d+ rows of \d+ tables and 0 files, as of 20/m);
  const restored = await startServerProcess(settings(newDir), key);
  const { memories } = await restored.ok('list_memories', {});
  expect(memories.map(({ content }) => content)).toEqual(['Cranes nest at the weir.']);
  await restored.stop();
});
