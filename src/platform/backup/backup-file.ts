// The file of a backup: a gzipped tar that any tool can unpack. Contents are split into parts, so that nothing large is
// in memory, and the last entry has a hash of everything before it.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';

const partBytes = 4_000_000;
const mostEntryBytes = 64_000_000;
const endName = 'end.json';
const gzipLevel = 4; // takes a third of the default level's time, for a file a tenth larger

/** A backup that cannot be made or restored; the message is for people. */
export class BackupError extends Error {}

const column = z.string().max(63);
/** The schemas with tables of the product: its own, and the job queue's. */
export const schemas = ['public', 'jobs'] as const;
const schema = z.enum(schemas);
const ending = z.object({
  entries: z.number().int(),
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  blobs: z.number().int(),
});

/** The first entry: where the backup comes from, and what a restore needs. */
export const manifest = z.object({
  format: z.literal('thalamus-backup'),
  version: z.number().int(),
  product_version: z.string(),
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  /** The version of the job queue's own tables; null before the first start. */
  jobs_version: z.number().int().nullable(),
  root_key_ids: z.array(z.string()),
  tables: z.array(z.object({ schema, name: column, columns: z.array(column) })),
  sequences: z.array(z.object({ schema, name: column, value: z.number().nullable() })),
});
export type Manifest = z.infer<typeof manifest>;

/** The contents: rows by table, and the number of blobs. */
export type Counts = { rows: Record<string, number>; blobs: number };

export type Entry = { name: string; bytes: Buffer };

export type BackupWriter = {
  add(name: string, bytes: Buffer): Promise<void>;
  /** Adds a content of any size as entries `folder/000001` and on. */
  addParts(folder: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Writes the end, and gives the file its name. */
  finish(counts: Counts): Promise<void>;
  abandon(): Promise<void>;
};

/** Starts a file, readable by its owner only. It gets its name when it is complete. */
export async function createBackupFile(path: string): Promise<BackupWriter> {
  const part = `${path}.part`;
  await rm(part, { force: true }); // left by an interrupted backup, or a link to another user's file
  const tar = pack();
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx' });
  const written = pipeline(tar, createGzip({ level: gzipLevel }), file);
  written.catch(() => {}); // the caller that awaits it gets the error
  const hash = createHash('sha256');
  let entries = 0;

  async function put(name: string, bytes: Buffer): Promise<void> {
    const entered = new Promise<void>((resolve, reject) => {
      tar.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([entered, written.then(() => entered)]);
  }

  const add: BackupWriter['add'] = async (name, bytes) => {
    addTo(hash, { name, bytes });
    entries += 1;
    await put(name, bytes);
  };
  return {
    add,
    async addParts(folder, content) {
      let number = 0;
      for await (const bytes of splitIntoParts(content)) {
        number += 1;
        await add(`${folder}/${String(number).padStart(6, '0')}`, bytes);
      }
    },
    async finish(counts) {
      await put(endName, Buffer.from(JSON.stringify({ entries, sha256: hash.digest('hex'), ...counts })));
      tar.finalize();
      await written;
      const file = await open(part, 'r+');
      await file.sync();
      await file.close();
      await rename(part, path);
    },
    async abandon() {
      tar.destroy();
      await written.catch(() => {});
      await rm(part, { force: true });
    },
  };
}

async function* splitIntoParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let isEmpty = true;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(chunks);
    [chunks, size, isEmpty] = [[], 0, false];
  }
  if (size || isEmpty) yield Buffer.concat(chunks);
}

function addTo(hash: Hash, { name, bytes }: Entry): void {
  hash.update(`${name}\0${bytes.length}\0`).update(bytes);
}

/**
 * The entries of a file, one after another; returns the counts from its end. Throws a `BackupError` when any part is
 * missing or altered, at the latest after the last entry. `onBytes` receives the number of bytes read.
 */
export async function* readBackup(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Entry, Counts> {
  const file = createReadStream(path);
  const tar = extract();
  const read = pipeline(file, createGunzip(), tar);
  read.catch(() => {}); // the loop below throws the same error
  const hash = createHash('sha256');
  let entries = 0;
  let end: z.infer<typeof ending> | null = null;
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (end || size > mostEntryBytes) throw new BackupError(formatTornMessage(path));
      const bytes = await readBytes(entry);
      onBytes?.(file.bytesRead);
      if (name === endName) {
        end = ending.parse(JSON.parse(bytes.toString()));
        continue;
      }
      addTo(hash, { name, bytes });
      entries += 1;
      yield { name, bytes };
    }
    await read;
  } catch (error) {
    if (error instanceof BackupError || isOfSystem(error)) throw error;
    throw new BackupError(formatTornMessage(path), { cause: error });
  } finally {
    file.destroy();
  }
  if (!end || end.entries !== entries || end.sha256 !== hash.digest('hex'))
    throw new BackupError(formatTornMessage(path));
  return { rows: end.rows, blobs: end.blobs };
}

async function readBytes(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer); // a tar stream yields only bytes
  return Buffer.concat(chunks);
}

/** An error of the file system, such as a missing file. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function formatTornMessage(path: string): string {
  return `${path} is incomplete, was altered, or is not a backup. Nothing was restored. Use another copy of it.`;
}
