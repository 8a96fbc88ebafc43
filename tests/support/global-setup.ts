// One PostgreSQL for the whole test run, in a temporary folder, with a template database that is migrated once.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/index.ts';
import { administer, templateDatabase, type TestConnection } from './postgres.ts';

declare module 'vitest' {
  // Only an interface can be merged into Vitest's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    postgres: TestConnection;
  }
}

const prefix = 'thalamus-test-';

// Nothing here has to outlive the run, and syncing is what takes the time. Many servers share it, each with pools of its own.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** Starts the cluster, migrates the template, and tells the workers where it is. Returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeOrphans();
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // As root the cluster runs under another account, which has to pass through.
  chmodSync(dataDir, 0o711);
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log: (line) => log.push(line) });
  const teardown = async (): Promise<void> => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { host, port, user } = postgres.connection;
    await prepareTemplate({ host, port, user, database: templateDatabase });
    project.provide('postgres', { host, port, user, database: 'postgres' });
    return teardown;
  } catch (error) {
    await teardown();
    throw new Error(`The test database could not be prepared. PostgreSQL said:\n${log.join('\n')}`, { cause: error });
  }
}

async function prepareTemplate(template: TestConnection): Promise<void> {
  await administer(template, `create database ${templateDatabase} template template0 strategy file_copy`);
  const { migrate } = await import('../../src/platform/database/index.ts');
  await migrate(template);
  const { createJobs } = await import('../../src/platform/jobs/index.ts');
  const jobs = createJobs({ connection: template, onError: () => {} });
  await jobs.start();
  await jobs.stop();
}

/** Ends the servers of runs that were killed before they could end them, and removes their folders. */
async function removeOrphans(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const dataDir = join(tmpdir(), name);
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (!owner || isRunning(owner)) continue;
    try {
      if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
        const orphan = await startEmbeddedPostgres({ dataDir, settings });
        await orphan.stop();
      }
      rmSync(dataDir, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`The leftover ${dataDir} of an earlier test run could not be removed: ${String(error)}\n`);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user: theirs to remove.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
