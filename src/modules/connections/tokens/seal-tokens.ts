import type { Db } from '#kernel/database';
import type { Vault } from '#platform/vault';
import type { Tokens } from '../clients/oauth-client.ts';
import type { ConnectionRow } from '../store/connections.ts';
import { storeTokens } from '../store/tokens.ts';

type Column = 'access_token' | 'refresh_token';

/** Seals tokens and stores them; undefined when the lease was lost. */
export async function sealAndStore(
  { vault, now }: { vault: Vault; now: () => Date },
  db: Db,
  row: Pick<ConnectionRow, 'id' | 'workspace_id'>,
  tokens: Tokens,
  lease: number | null,
) {
  const at = now();
  const later = (seconds: number | null) => (seconds === null ? null : new Date(at.getTime() + seconds * 1000));
  const seal = (column: Column, token: string) => vault.seal(db, buildTokenColumn(row, column), token);
  const accessExpiresAt = later(tokens.expiresInSeconds);
  const sealed = {
    accessToken: await seal('access_token', tokens.accessToken),
    accessExpiresAt,
    refreshToken: tokens.refreshToken && (await seal('refresh_token', tokens.refreshToken)),
    endsAt: later(tokens.grantEndsInSeconds),
    scopes: tokens.scopes,
  };
  return storeTokens(db, row.id, sealed, { lease, at });
}

/** A decrypted token of a connection. Null: there is none. */
export async function openToken(vault: Vault, db: Db, row: ConnectionRow, column: Column): Promise<string | null> {
  const sealed = row[column];
  return sealed && vault.open(db, buildTokenColumn(row, column), sealed);
}

function buildTokenColumn(row: Pick<ConnectionRow, 'id' | 'workspace_id'>, column: Column) {
  return { workspaceId: row.workspace_id, table: 'connections', row: row.id, column };
}
