import type { Vault } from '#platform/vault';
import type { Db, VersionRow } from './store/tables.ts';

type SecretVersion = Pick<VersionRow, 'id' | 'workspace_id'>;

function buildSecretColumn({ id, workspace_id: workspaceId }: SecretVersion) {
  return { workspaceId, table: 'webhook_versions', row: id, column: 'secret' };
}

/** Seals the secret of a version. */
export function sealSecret(vault: Vault, db: Db, version: SecretVersion, secret: string): Promise<string> {
  return vault.seal(db, buildSecretColumn(version), secret);
}

/** The secret that requests are checked with. Null: there is none. */
export async function openSecret(
  vault: Vault,
  db: Db,
  version: SecretVersion & Pick<VersionRow, 'secret'>,
): Promise<string | null> {
  return version.secret === null ? null : vault.open(db, buildSecretColumn(version), version.secret);
}
