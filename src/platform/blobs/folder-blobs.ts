// Blobs as files of a folder.
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { checkKey, type Blobs } from './blobs.ts';

/** Opens a folder, which is created with the first blob. */
export function createFolderBlobs(folder: string): Blobs {
  const buildPath = (key: string) => join(folder, ...checkKey(key).split('/'));
  return {
    async put(key, file) {
      const path = buildPath(key);
      if (await isThere(path)) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const beside = `${path}.${process.pid}-${Math.round(performance.now() * 1000)}.part`;
      try {
        if ('bytes' in file) await writeFile(beside, file.bytes, { mode: 0o600 });
        else await copyFile(file.path, beside);
        await flush(beside);
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    async open(key, start = 0) {
      const path = buildPath(key);
      if (!(await isThere(path))) return null;
      return Readable.toWeb(createReadStream(path, { start })) as ReadableStream<Uint8Array>; // the types of Node and of the DOM differ only in name
    },
    remove: (key) => rm(buildPath(key), { force: true }),
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync();
  await handle.close();
}
