import { randomBytes } from 'node:crypto';
import type { Db } from '#kernel/database';
import type { Vault } from '#platform/vault';
import { findKey, insertKey } from '../store/seals.ts';

/** The key that seals a workspace's ledger; null before the first seal. */
export async function openKey(vault: Vault, db: Db, workspaceId: string): Promise<Buffer | null> {
  const sealed = await findKey(db);
  return sealed === undefined
    ? null
    : Buffer.from(await vault.open(db, buildSealKeyColumn(workspaceId), sealed), 'base64');
}

/** Like `openKey`; makes the key when there is none. */
export async function openOrMakeKey(vault: Vault, db: Db, workspaceId: string): Promise<Buffer> {
  const known = await openKey(vault, db, workspaceId);
  if (known) return known;
  const key = randomBytes(32);
  const sealed = await vault.seal(db, buildSealKeyColumn(workspaceId), key.toString('base64'));
  await insertKey(db, { workspace_id: workspaceId, sealed });
  return key;
}

function buildSealKeyColumn(workspaceId: string) {
  return { workspaceId, table: 'ledger_keys', row: workspaceId, column: 'sealed' };
}
