import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decrypt, encrypt } from './cipher.ts';

/** Wraps data keys. Another kind of root key, such as one in a key management service, has the same two functions. */
export type KeyWrapper = {
  id: string;
  wrap(dataKey: Buffer, context: string): Promise<Buffer>;
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>;
};

/**
 * A root key of this server: 32 bytes in base64. Its id is the beginning of its hash, which reveals nothing of the key.
 */
export function createLocalRootKey(base64: string): KeyWrapper {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== 32) throw new Error('a root key has 32 bytes');
  return {
    id: createHash('sha256').update('thalamus root key').update(key).digest('hex').slice(0, 12),
    wrap: async (dataKey, context) => encrypt(key, dataKey, context),
    unwrap: async (wrapped, context) => decrypt(key, wrapped, context),
  };
}

/** The root key in the data folder; null when there is none. */
export function findRootKey(dataDir: string): string | null {
  const file = join(dataDir, 'master.key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** The root key, generated into the data folder when the settings give none; only its owner can read the file. */
export function generateRootKey(dataDir: string): string {
  const file = join(dataDir, 'master.key');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // fs errors always have a code
  }
  return readFileSync(file, 'utf8').trim();
}
