import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { EmitEvent } from '#kernel/event';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { getClients, type Clients } from '../clients/clients.ts';
import { buildCredential } from '../credential.ts';
import { buildConnectionChanged } from '../events.ts';
import { AccessRefused, readIdentity } from '../clients/identity.ts';
import { InvalidGrant, refreshTokens, type OAuthClient, type Tokens } from '../clients/oauth-client.ts';
import type { Provider } from '#kernel/provider';
import type { TokenSource } from '#kernel/provider-access';
import { revokeAtProvider } from './revoke.ts';
import { openToken, sealAndStore } from './seal-tokens.ts';
import { endConnection, findConnection, recordUse, type ConnectionRow } from '../store/connections.ts';
import { delayNextRefresh, releaseLease, takeLease } from '../store/tokens.ts';

type Options = {
  transactions: Transactions;
  vault: Vault;
  egress: Egress;
  clients: Clients;
  publicUrl: string;
  emitEvent: EmitEvent;
  /** How long one process may take to refresh. */
  leaseMs: number;
  now: () => Date;
  newId: () => string;
};

const marginMs = 60_000;
const pollMs = 150;
const firstBackOffMs = 2_000;
const longestBackOffMs = 5 * 60_000;
/** The shortest time between two records of use. */
const useNotedForMs = 60_000;

/** A refresh under the lease of this process. */
type Lease = { row: ConnectionRow; client: OAuthClient; refreshToken: string };
/** The stored row and its owner, with the decrypted access token while it is valid. */
type StoredToken = { row: ConnectionRow; provider: Provider; valid: string | null };

/**
 * Makes the token source. One refresh at a time per account: one promise in this process, and one lease row among all
 * processes, fenced by a counter. The rotated refresh token is stored before the access token is used.
 */
function createTokenSource(options: Options): TokenSource {
  const refreshing = new Map<string, Promise<string>>();
  const usedAt = new Map<string, number>();

  async function get(workspaceId: string, connectionId: string, refused?: string) {
    const { row, provider, valid } = await read(options, workspaceId, connectionId, refused);
    const token = valid ?? (await renew(row, refused));
    await note(row);
    return { row, provider, token };
  }

  function renew(row: ConnectionRow, refused?: string): Promise<string> {
    const running = refreshing.get(row.id);
    if (running) return running;
    const work = row.refresh_token ? refreshOnce(options, row, refused) : handleRefusal(options, row, refused);
    refreshing.set(row.id, work);
    return work.finally(() => refreshing.delete(row.id));
  }

  /** Use is recorded once a minute for each account and process, so that reads stay cheap. */
  async function note({ id, workspace_id }: ConnectionRow): Promise<void> {
    const at = options.now();
    if (at.getTime() - (usedAt.get(id) ?? 0) < useNotedForMs) return;
    usedAt.set(id, at.getTime());
    await options.transactions.run(workspace_id, 'write', (db) => recordUse(db, id, at));
  }

  return {
    accessToken: async (workspaceId, connectionId, refused) => (await get(workspaceId, connectionId, refused)).token,
    async credential(workspaceId, connectionId, refused) {
      const { row, provider, token } = await get(workspaceId, connectionId, refused);
      return buildCredential({ provider, kind: row.kind, settings: row.settings, token });
    },
  };
}

async function read(options: Options, workspaceId: string, id: string, refused?: string): Promise<StoredToken> {
  return options.transactions.run(workspaceId, 'read', async (db) => {
    const row = await findConnection(db, id);
    if (!row) throw createNotFoundError('connection');
    if (row.status !== 'active') throw createReconnectError(options, row);
    const provider = await readProvider(options, db, row);
    return { row, provider, valid: await findValidToken(options, db, row, refused) };
  });
}

/** The access token, unless it expires soon or was rejected. An address without a key has an empty token. */
async function findValidToken(options: Options, db: Db, row: ConnectionRow, refused?: string): Promise<string | null> {
  if (row.access_token === null) return row.kind === 'token' && refused === undefined ? '' : null;
  // A token that cannot be renewed is used until the provider rejects it.
  const endsAt = row.refresh_token ? row.access_expires_at : null;
  if (endsAt && endsAt.getTime() - marginMs <= options.now().getTime()) return null;
  const token = await openToken(options.vault, db, row, 'access_token');
  return token === refused ? null : token;
}

/** Refreshes, or waits for the process that does. */
async function refreshOnce(options: Options, { workspace_id, id }: ConnectionRow, refused?: string): Promise<string> {
  const giveUpAt = Date.now() + options.leaseMs + marginMs;
  while (Date.now() < giveUpAt) {
    const begun = await beginRefresh(options, workspace_id, id, refused);
    if (typeof begun === 'string') return begun;
    if (begun) return refresh(options, begun);
    await sleep(pollMs);
    const { valid } = await read(options, workspace_id, id, refused);
    if (valid !== null) return valid;
  }
  throw new AppError('unavailable', 'Refreshing the account takes unusually long. Try again in a minute.');
}

/** Takes the lease. Returns null when another process has it, or the token when it was refreshed meanwhile. */
async function beginRefresh(
  options: Options,
  workspaceId: string,
  id: string,
  refused?: string,
): Promise<Lease | string | null> {
  return options.transactions.run(workspaceId, 'write', async (db) => {
    const at = options.now();
    const row = await takeLease(db, id, options.leaseMs);
    if (!row) return null;
    const renewed = await findValidToken(options, db, row, refused);
    if (renewed !== null) {
      await releaseLease(db, id, row.lease_token);
      return renewed;
    }
    if (row.retry_at && row.retry_at > at) throw createRetryLaterError(row, row.retry_at, at);
    const refreshToken = await openToken(options.vault, db, row, 'refresh_token');
    if (!refreshToken) throw createReconnectError(options, row);
    return { row, client: await options.clients.get(db, workspaceId, row.provider), refreshToken };
  });
}

async function refresh(options: Options, { row, client, refreshToken }: Lease): Promise<string> {
  let tokens: Tokens;
  try {
    // A third of the lease: the rest is for the transactions around it.
    tokens = await refreshTokens(options.egress, client, refreshToken, options.leaseMs / 3);
  } catch (error) {
    if (error instanceof InvalidGrant) return handleInvalidGrant(options, row);
    const said = error instanceof AppError ? error.message : 'The provider could not be reached.';
    const failure = {
      lease: row.lease_token,
      retryAt: computeNextTry(options, row),
      error: said.slice(0, 500),
      at: options.now(),
    };
    await options.transactions.run(row.workspace_id, 'write', (db) => delayNextRefresh(db, row.id, failure));
    throw error;
  }
  if (await store(options, row, tokens)) return tokens.accessToken;
  await endIfUnlinked(options, { row, client }, tokens);
  return readRefreshedToken(options, row);
}

/** The account was unlinked meanwhile and its former tokens were revoked. Only this process knows the new tokens. */
async function endIfUnlinked(
  { transactions, egress }: Options,
  { row, client }: Pick<Lease, 'row' | 'client'>,
  { accessToken, refreshToken }: Tokens,
): Promise<void> {
  const now = await transactions.run(row.workspace_id, 'read', (db) => findConnection(db, row.id));
  if (now?.status === 'active') return;
  const { provider, baseUrl } = client;
  await revokeAtProvider(egress, { provider, kind: 'oauth', baseUrl, client, accessToken, refreshToken });
}

/** If a rotated token is not stored the account is lost, so database errors are retried. */
async function store(options: Options, row: ConnectionRow, tokens: Tokens): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await options.transactions.run(row.workspace_id, 'write', async (db) => {
        const stored = await sealAndStore(options, db, row, tokens, row.lease_token);
        const hasLost = stored?.lost_scopes.some((scope) => !row.lost_scopes.includes(scope));
        if (hasLost) await emitConnectionChanged(options, db, row);
        return stored !== undefined;
      });
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(200 * attempt);
    }
  }
}

/** Reads an account again before it is declared dead, because it may have been relinked or refreshed. */
async function handleInvalidGrant(options: Options, row: ConnectionRow): Promise<string> {
  const reason = `${row.account} no longer accepts this server. Link the account again.`;
  if (await declareDead(options, row, reason)) throw createReconnectError(options, { ...row, status_reason: reason });
  return readRefreshedToken(options, row);
}

/**
 * A rejected token that cannot be renewed is dead if the identity request fails, too. Otherwise only this call was
 * rejected.
 */
async function handleRefusal(options: Options, row: ConnectionRow, refused = ''): Promise<string> {
  const provider = await options.transactions.run(row.workspace_id, 'read', (db) => readProvider(options, db, row));
  const trial = {
    provider,
    kind: row.kind,
    baseUrl: options.clients.findBaseUrl(row.provider),
    settings: row.settings,
  };
  const error = await readIdentity(options.egress, { ...trial, token: refused }, 'refused').then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const isDead = error instanceof AccessRefused && error.diagnostics.errorCategory === 'auth';
  if (!isDead) {
    const message = `${provider.label} refuses this call of ${row.account}, ${formatRefusal(provider)}`;
    throw new AppError('upstream_failed', message, { connection_id: row.id }, { cause: error });
  }
  const reason = `${provider.label} no longer accepts the ${row.kind === 'token' ? 'token' : 'access'} of ${row.account}. Link it again.`;
  if (await declareDead(options, row, reason)) throw createReconnectError(options, { ...row, status_reason: reason });
  return readRefreshedToken(options, row);
}

function formatRefusal({ identity }: Provider): string {
  if (identity) return 'though its access is valid. It may lack a permission.';
  return 'and its access could not be checked. It may lack a permission, or needs to be linked again.';
}

async function declareDead(options: Options, row: ConnectionRow, reason: string): Promise<boolean> {
  const end = { status: 'reconnect_needed' as const, reason, lease: row.lease_token, at: options.now() };
  return options.transactions.run(row.workspace_id, 'write', async (db) => {
    const hasEnded = await endConnection(db, row.id, end);
    if (hasEnded) await emitConnectionChanged(options, db, row);
    return hasEnded;
  });
}

async function readRefreshedToken(options: Options, row: ConnectionRow): Promise<string> {
  const { valid } = await read(options, row.workspace_id, row.id);
  if (valid !== null) return valid;
  throw new AppError('unavailable', `${row.account} was linked again at this moment. Retry.`);
}

async function emitConnectionChanged(options: Options, db: Db, row: ConnectionRow) {
  const place = { id: options.newId(), workspaceId: row.workspace_id, at: options.now() };
  await options.emitEvent(db, buildConnectionChanged(row), place);
}

async function readProvider({ clients }: Options, db: Db, row: ConnectionRow): Promise<Provider> {
  const provider = await clients.provider(db, row.provider);
  if (!provider) throw new AppError('unavailable', `This server no longer knows the provider ${row.provider}.`);
  return provider;
}

function computeNextTry({ now }: Options, row: ConnectionRow): Date {
  const wait = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(row.refresh_failures, 10));
  return new Date(now().getTime() + wait);
}

function createRetryLaterError({ last_error }: ConnectionRow, retryAt: Date, at: Date): AppError {
  const seconds = Math.ceil((retryAt.getTime() - at.getTime()) / 1000);
  const message = `The provider could not renew the access. The next attempt is in ${seconds} s.`;
  return new AppError('unavailable', message, { retry_after: seconds, last_error });
}

function createReconnectError(
  { publicUrl }: Options,
  row: Pick<ConnectionRow, 'id' | 'account' | 'status_reason' | 'provider'>,
) {
  const reason = row.status_reason ?? `${row.account} must be linked again.`;
  const url = `${publicUrl}/integrations/${row.provider}`;
  return new AppError('unavailable', `${reason} Open ${url}`, {
    connection_id: row.id,
    provider: row.provider,
    reconnect_url: url,
  });
}

/** The server's one source of tokens. */
export const getTokenSource = memoizePerServer((ground: Ground) => {
  const { publicUrl, refreshLeaseMs: leaseMs } = ground.config;
  return createTokenSource({ ...ground, clients: getClients(ground), publicUrl, leaseMs, now, newId });
});
