import type { Db } from '#kernel/database';
import { parseBodyJson, type Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Clients } from '../clients/clients.ts';
import type { OwnPage, Provider, RevokeFacts } from '#kernel/provider';
import { fillRequest, getValueAt } from '../clients/request-facts.ts';
import { openToken } from './seal-tokens.ts';
import type { ConnectionRow } from '../store/connections.ts';

/** The data for revoking tokens at their provider. Absent tokens are null. */
export type Revocation = {
  provider: Provider;
  kind: 'oauth' | 'token';
  baseUrl: string | null;
  client: { clientId: string; clientSecret: string | null } | null;
  accessToken: string | null;
  refreshToken: string | null;
};

/** Collects the data for revoking, while the tokens are still stored. Null: the provider is no longer configured. */
export async function readRevocation(
  { clients, vault }: { clients: Clients; vault: Vault },
  db: Db,
  row: ConnectionRow,
): Promise<Revocation | null> {
  const provider = await clients.provider(db, row.provider);
  if (!provider) return null;
  return {
    provider,
    kind: row.kind,
    baseUrl: clients.findBaseUrl(row.provider),
    // A secret or token that cannot be decrypted must not prevent unlinking.
    client: await clients.find(db, row.workspace_id, row.provider).catch(() => null),
    accessToken: await openToken(vault, db, row, 'access_token').catch(() => null),
    refreshToken: await openToken(vault, db, row, 'refresh_token').catch(() => null),
  };
}

/** Whether the provider revoked the tokens. If not, the page where a person can do it. */
export type RevokeResult = { isRevoked: boolean; ownPage: OwnPage | null };

/** Revokes tokens at the provider. Never throws: the account is already disconnected here. */
export async function revokeAtProvider(egress: Egress, ending: Revocation): Promise<RevokeResult> {
  const isRevoked = await requestRevocation(egress, ending).catch(() => false);
  return { isRevoked, ownPage: isRevoked ? null : ending.provider.ownPage };
}

async function requestRevocation(egress: Egress, ending: Revocation): Promise<boolean> {
  const { provider, kind, baseUrl, client } = ending;
  const facts: RevokeFacts | null = (kind === 'oauth' ? provider.oauth?.revoke : provider.token?.revoke) ?? null;
  const token = facts?.token === 'refresh' ? (ending.refreshToken ?? ending.accessToken) : ending.accessToken;
  if (!facts || !token || (kind === 'oauth' && !client)) return false;
  const response = await egress.request({
    ...fillRequest(facts.request, { token, ...client }, baseUrl),
    timeoutMs: 15_000,
    redirects: 'refuse',
  });
  if (response.status < 200 || response.status >= 300) return false;
  return facts.isOkAt === undefined || getValueAt(parseBodyJson(response), facts.isOkAt) === true;
}
