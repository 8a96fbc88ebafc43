import { randomBytes } from 'node:crypto';
import type { Db } from '#kernel/database';
import { sql } from 'kysely';
import { decrypt, encrypt } from './cipher.ts';
import {
  findCurrentDataKey,
  findDataKey,
  insertDataKey,
  listDataKeysToRewrap,
  rewrapDataKey,
  type DataKeyRow,
} from './data-keys.ts';
import type { KeyWrapper } from './root-key.ts';

/** The place of a sealed value. It opens only there, so a copy in another row or workspace is useless. */
export type VaultColumn = { workspaceId: string; table: string; row: string; column: string };

/**
 * Seals and opens secrets. Sealed text is `local:v1:<data key id>:<base64>`, or `vault:<id>` where an external vault
 * stores it.
 */
export type Vault = {
  seal(db: Db, place: VaultColumn, secret: string): Promise<string>;
  /** Throws when the text was sealed for another place, was changed, or its root key is unknown. */
  open(db: Db, place: VaultColumn, sealed: string): Promise<string>;
  /**
   * Destroys the secret behind a sealed text; `isWhole`: with all its earlier versions. Does nothing when the text
   * contains the secret itself, or refers to another place. Only `createForgetting` calls it, because only removed
   * secrets may be destroyed.
   */
  forget(place: VaultColumn, sealed: string, extent: { isWhole: boolean }): Promise<void>;
  /** Wraps the workspace's data keys with the current root key; returns how many were changed. */
  rewrap(db: Db, workspaceId: string): Promise<number>;
};

/**
 * Creates the vault. It seals with `current`; data keys wrapped by `previous` can still be opened, so that keys can be
 * rotated.
 */
export function createVault(options: {
  current: KeyWrapper;
  previous?: KeyWrapper | null;
  newId: () => string;
  now: () => Date;
}): Vault {
  const wrappers = new Map([options.previous, options.current].flatMap((each) => (each ? [[each.id, each]] : [])));
  const unwrapped = new Map<string, Buffer>();

  async function unwrap(workspaceId: string, row: DataKeyRow): Promise<Buffer> {
    const known = unwrapped.get(row.id);
    if (known) return known;
    const wrapper = wrappers.get(row.root_key_id);
    if (!wrapper) {
      throw new Error(
        `a data key is wrapped by the root key ${row.root_key_id}, which is not set. ` +
          'Set THALAMUS_MASTER_KEY, or THALAMUS_MASTER_KEY_PREVIOUS while rotating, to that key.',
      );
    }
    const key = await wrapper.unwrap(row.wrapped, wrapContext(workspaceId, row.id));
    unwrapped.set(row.id, key);
    return key;
  }

  async function currentKey(db: Db, workspaceId: string): Promise<DataKeyRow> {
    const existing = await findCurrentDataKey(db, [...wrappers.keys()]);
    if (existing) return existing;
    await sql`select pg_advisory_xact_lock(hashtext('thalamus data key'), hashtext(${workspaceId}))`.execute(db);
    const made = await findCurrentDataKey(db, [...wrappers.keys()]);
    if (made) return made;
    const id = options.newId();
    const wrapped = await options.current.wrap(randomBytes(32), wrapContext(workspaceId, id));
    const row = { id, wrapped, root_key_id: options.current.id };
    await insertDataKey(db, { ...row, workspaceId, at: options.now() });
    return row;
  }

  return {
    async seal(db, place, secret) {
      const row = await currentKey(db, place.workspaceId);
      const sealed = encrypt(await unwrap(place.workspaceId, row), Buffer.from(secret), buildContext(place));
      return `local:v1:${row.id}:${sealed.toString('base64')}`;
    },
    async open(db, place, sealed) {
      const [scheme, version, keyId, body] = sealed.split(':');
      if (scheme !== 'local' || version !== 'v1' || !keyId || !body) throw new Error('this is not a sealed secret');
      const row = await findDataKey(db, keyId);
      if (!row) throw new Error('the data key of a sealed secret is missing');
      return decrypt(await unwrap(place.workspaceId, row), Buffer.from(body, 'base64'), buildContext(place)).toString();
    },
    async forget() {},
    async rewrap(db, workspaceId) {
      const rows = await listDataKeysToRewrap(db, options.current.id, [...wrappers.keys()]);
      for (const row of rows) {
        const key = await unwrap(workspaceId, row);
        const wrapped = await options.current.wrap(key, wrapContext(workspaceId, row.id));
        await rewrapDataKey(db, { id: row.id, wrapped, root_key_id: options.current.id });
      }
      return rows.length;
    },
  };
}

function wrapContext(workspaceId: string, keyId: string): string {
  return `data key/${workspaceId}/${keyId}`;
}

function buildContext({ workspaceId, table, row, column }: VaultColumn): string {
  return `${workspaceId}/${table}/${row}/${column}`;
}
