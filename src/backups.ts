// Backups of a whole server: its database and the originals of its documents. The server may keep running.
import { blobKeysQuery } from '#modules/documents';
import { BackupError, checkBackup, restoreBackup, writeBackup } from '#platform/backup';
import { createBlobs, type Blobs } from '#platform/blobs';
import { now } from '#platform/clock';
import { version, type Config } from '#platform/config';
import { joinDatabase, joinOrMakeDatabase, migrate } from '#platform/database';
import { createEgress } from '#platform/egress';
import type { Log } from '#platform/log';
import { findRootKey, createLocalRootKey, giveUpRootKeys } from '#platform/vault';

type BackupCommand = { config: Config; log: Log; say(text: string): void };

/** Writes a backup to a file. `missing`: originals that were deleted during the backup. */
export async function writeServerBackup(path: string, { config, log, say }: BackupCommand) {
  const { owner, close } = await joinDatabase(config, log);
  try {
    return await withBlobs(config, (blobs) =>
      writeBackup(path, { connection: owner, blobs, blobKeys: blobKeysQuery, productVersion: version, now, say }),
    );
  } finally {
    await close();
  }
}

/**
 * Restores a backup into an empty place, and migrates it. Refuses to restore without the backup's master key, unless
 * `isKeyLost`.
 */
export async function restore(path: string, { config, log, say, isKeyLost }: BackupCommand & { isKeyLost: boolean }) {
  const about = await checkBackup(path, say);
  if (!isKeyLost) checkMasterKey(config, about.root_key_ids);
  const { owner, close } = await joinOrMakeDatabase(config, log);
  try {
    const counts = await withBlobs(config, (blobs) => restoreBackup(path, about, { connection: owner, blobs, say }));
    await migrate(owner);
    if (isKeyLost) await giveUpRootKeys(owner, listRootKeyIds(config));
    return { ...counts, createdAt: about.created_at };
  } finally {
    await close();
  }
}

async function withBlobs<T>(config: Config, work: (blobs: Blobs) => Promise<T>): Promise<T> {
  const egress = createEgress({ allow: config.egressAllow });
  try {
    return await work(createBlobs(egress, { dataDir: config.dataDir, s3: config.blobs }));
  } finally {
    await egress.close();
  }
}

function listRootKeyIds({ masterKey, previousMasterKey, dataDir }: Config): string[] {
  const keys = [masterKey, previousMasterKey, findRootKey(dataDir)].filter((key) => key !== null);
  return keys.map((key) => createLocalRootKey(key).id);
}

/** Secrets in a backup can be opened only with its master key, which the backup does not contain. */
function checkMasterKey(config: Config, needed: readonly string[]): void {
  const ids = listRootKeyIds(config);
  const { dataDir } = config;
  if (needed.every((id) => ids.includes(id))) return;
  throw new BackupError(
    `The secrets in this backup need the master key of its server. Set THALAMUS_MASTER_KEY, or copy master.key to ${dataDir}. ` +
      'If the key is lost, restore with --key-lost, and move the brains to a new server with `thalamus export`. Nothing was restored.',
  );
}
