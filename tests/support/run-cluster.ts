// One PostgreSQL for a whole run, in a temporary folder, with a template database that is migrated once.
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/index.ts';
import { administer, templateDatabase, type TestConnection } from './databases.ts';

const prefix = 'thalamus-test-';
/** A database is more than a thousand files, which are copied in memory in a tenth of the time that a disk takes. */
const memory = '/dev/shm';
const roomBytes = 4_000_000_000;

// Nothing here has to outlive the run, and syncing is what takes the time. Many servers share it, each with pools of its own.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  max_connections: '400',
};

/** Starts the cluster and migrates the template. `connection` leads to the maintenance database. */
export async function startRunCluster(): Promise<{ connection: TestConnection; stop(): Promise<void> }> {
  await removeOrphans();
  const dataDir = mkdtempSync(join(chooseFolder(), `${prefix}${process.pid}-`));
  // As root the cluster runs under another account, which has to pass through.
  chmodSync(dataDir, 0o711);
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, settings, log: (line) => log.push(line) });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { host, port, user } = postgres.connection;
    await prepareTemplate({ host, port, user, database: templateDatabase });
    return { connection: { host, port, user, database: 'postgres' }, stop };
  } catch (error) {
    await stop();
    throw new Error(`The test database could not be prepared. PostgreSQL said:\n${log.join('\n')}`, { cause: error });
  }
}

/** The memory of the machine where it has room to spare, as a container may not. */
function chooseFolder(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
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
  const places = [tmpdir(), memory].filter((place) => existsSync(place));
  const found = places.flatMap((place) => readdirSync(place).map((name) => ({ name, dataDir: join(place, name) })));
  for (const { name, dataDir } of found.filter((each) => each.name.startsWith(prefix))) {
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
