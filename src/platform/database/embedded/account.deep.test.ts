import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  readProcessOwner,
  copyDataDir,
  query,
  runEmbeddedPostgres,
  findServerProcess,
  createTemporaryFolder,
} from '../../../../tests/support/embedded-postgres-process.ts';
import { canReach, isRoot, readNobodyAccount } from './account.ts';

const someUser = readUserId('daemon');
const nameless = 54_321;
const canOthersRunUs = canReach({ uid: someUser, gid: someUser }, import.meta.filename);

function readUserId(name: string): number {
  return Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
}

function createOwnedFolder(uid: number): string {
  const folder = createTemporaryFolder();
  chownSync(folder, uid, uid);
  return folder;
}

describe.runIf(isRoot())('started as root', () => {
  test('PostgreSQL runs as the account nobody, in a folder that only that account can enter, for every umask', async () => {
    const dataDir = join(createTemporaryFolder(), 'new', 'data');
    const before = process.umask(0o077);
    onTestFinished(() => void process.umask(before));
    await runEmbeddedPostgres(dataDir);
    expect(readProcessOwner(findServerProcess(dataDir) ?? 0)).toBe(readNobodyAccount().uid);
    expect(statSync(join(dataDir, 'postgres'))).toMatchObject({ uid: readNobodyAccount().uid, mode: 0o40700 });
  });

  test('a data folder that the account cannot enter keeps its database elsewhere, and finds it again', async () => {
    const [closed, systemDir] = [createTemporaryFolder(), join(createTemporaryFolder(), 'lib')];
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const first = await runEmbeddedPostgres(dataDir, { systemDir });
    await query(first.connection, 'drop table if exists notes; create table notes as select 1 as id');
    const place = readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim();
    expect(place.startsWith(systemDir)).toBe(true);
    expect(first.log).toContainEqual(expect.stringContaining(`The database is in ${place}`));
    await first.end('SIGTERM');

    const second = await runEmbeddedPostgres(dataDir, { systemDir });
    expect(await query(second.connection, 'select * from notes')).toEqual([{ id: 1 }]);
    await second.end('SIGTERM');

    renameSync(place, `${place}-away`);
    const third = await runEmbeddedPostgres(dataDir, { systemDir });
    expect(third.refusal).toContain(`should be in ${place}`);
    renameSync(`${place}-away`, place);
  });

  test('of two starts at once on a folder that the account cannot enter exactly one succeeds', async () => {
    const [closed, systemDir] = [createTemporaryFolder(), join(createTemporaryFolder(), 'lib')];
    chmodSync(closed, 0o700);
    const runs = [1, 2].map(() => runEmbeddedPostgres(join(closed, 'data'), { systemDir }));
    const both = await Promise.all(runs);
    expect(both.map((run) => run.connection !== undefined).toSorted()).toEqual([false, true]);
    expect(both.map((run) => run.refusal).join('')).toContain('Another Thalamus');
  });

  test('a database that root restored is given to the account that runs it', async () => {
    const dataDir = await copyDataDir();
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
    const run = await runEmbeddedPostgres(dataDir);
    expect(await query(run.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot() && canOthersRunUs)('started as another user', () => {
  test('PostgreSQL runs as that user, even after root started it once', async () => {
    const dataDir = join(createOwnedFolder(someUser), 'data');
    for (const uid of [someUser, 0, someUser]) {
      const run = await runEmbeddedPostgres(dataDir, { uid });
      expect(run.refusal).toBeUndefined();
      expect(readProcessOwner(findServerProcess(dataDir) ?? 0)).toBe(someUser);
      await run.end('SIGTERM');
    }
  });

  test('a database that root created is refused, with its owner’s name', async () => {
    const dataDir = await copyDataDir();
    chownSync(dataDir, someUser, someUser);
    const run = await runEmbeddedPostgres(dataDir, { uid: someUser });
    expect(run.refusal).toContain(`The database in ${dataDir}/postgres belongs to user ${readNobodyAccount().uid}`);
  });

  test('a user without a name gets the advice to create one', async () => {
    const run = await runEmbeddedPostgres(createOwnedFolder(nameless), { uid: nameless });
    expect(run.refusal).toContain(`user ${nameless} has no entry in /etc/passwd`);
  });

  test('the error for a read-only data folder names the folder', async () => {
    const dataDir = join(createTemporaryFolder(), 'data');
    const run = await runEmbeddedPostgres(dataDir, { uid: someUser });
    expect(run.refusal).toMatch(`The data folder ${dataDir} is not writable`);
    expect(run.refusal).toMatch(`Give user ${someUser} write access`);
  });
});
