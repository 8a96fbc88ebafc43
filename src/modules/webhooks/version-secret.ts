import type { Vault } from '#platform/vault';
import type { Db, VersionRow } from './store/tables.ts';

type Of = Pick<VersionRow, 'id' | 'workspace_id'>;

function placeOf({ id, workspace_id: workspaceId }: Of) {
  return { workspaceId, table: 'webhook_versions', row: id, column: 'secret' };
}

/** Seals the secret of a version. */
export function sealSecret(vault: Vault, db: Db, version: Of, secret: string): Promise<string> {
  return vault.seal(db, placeOf(version), secret);
}

/** The secret that requests are checked by. Null: there is none. */
export async function openSecret(
  vault: Vault,
  db: Db,
  version: Of & Pick<VersionRow, 'secret'>,
): Promise<string | null> {
  return version.secret === null ? null : vault.open(db, placeOf(version), version.secret);
}
