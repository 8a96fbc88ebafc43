import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Transactions } from '#kernel/database';
import { AppError, notFound } from '#kernel/errors';
import { storeEvent } from '#modules/audit';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Clients } from './clients.ts';
import { connectionChanged } from './events.ts';
import { InvalidGrant, refreshTokens, type OAuthClient, type Tokens } from './oauth-client.ts';
import {
  backOff,
  endConnection,
  findConnection,
  giveBack,
  storeTokens,
  takeLease,
  type ConnectionRow,
} from './store/connections.ts';

/** Gives valid access tokens, refreshing them when they are about to end. */
export type TokenSource = {
  /**
   * An access token that is good for a minute at least. `renewedAfter` asks for a newer one than a token that the
   * provider has just refused. Throws `unavailable` with what the person has to do when the account must be linked again.
   */
  accessToken(workspaceId: string, connectionId: string, renewedAfter?: string): Promise<string>;
};

type Options = {
  transactions: Transactions;
  vault: Vault;
  egress: Egress;
  clients: Clients;
  publicUrl: string;
  now: () => Date;
  newId: () => string;
};

const marginMs = 60_000;
/** Longer than the slowest refresh: the request's own 20 s, and the transactions around it. */
const leaseMs = 60_000;
const pollMs = 150;
const firstBackOffMs = 2_000;
const longestBackOffMs = 5 * 60_000;

/** A refresh that this process has the lease for. */
type Lease = { row: ConnectionRow; client: OAuthClient; refreshToken: string };

/**
 * Makes the token source. One refresh at a time per account: one promise in this process, and one lease row among all
 * processes, fenced by a counter. The rotated refresh token is stored before the access token is used.
 */
export function createTokenSource(options: Options): TokenSource {
  const refreshing = new Map<string, Promise<string>>();
  return {
    async accessToken(workspaceId, connectionId, renewedAfter) {
      const valid = await readValid(options, workspaceId, connectionId, renewedAfter);
      if (valid) return valid;
      const running = refreshing.get(connectionId);
      if (running) return running;
      const refresh = refreshOnce(options, workspaceId, connectionId, renewedAfter);
      refreshing.set(connectionId, refresh);
      return refresh.finally(() => refreshing.delete(connectionId));
    },
  };
}

async function readValid(options: Options, workspaceId: string, id: string, refused?: string): Promise<string | null> {
  return options.transactions.run(workspaceId, 'read', async (db) => {
    const row = await findConnection(db, id);
    if (!row) throw notFound('connection');
    if (row.status === 'revoked') throw reconnect(options, row);
    return validToken(options, db, row, refused);
  });
}

async function validToken(options: Options, db: Db, row: ConnectionRow, refused?: string): Promise<string | null> {
  if (!row.access_token || !row.access_expires_at) return null;
  if (row.access_expires_at.getTime() - marginMs <= options.now().getTime()) return null;
  const token = await open(options, db, row, 'access_token', row.access_token);
  return token === refused ? null : token;
}

/** Refreshes, or waits for whoever does. */
async function refreshOnce(options: Options, workspaceId: string, id: string, refused?: string): Promise<string> {
  const giveUpAt = Date.now() + leaseMs + marginMs;
  while (Date.now() < giveUpAt) {
    const begun = await beginRefresh(options, workspaceId, id, refused);
    if (typeof begun === 'string') return begun;
    if (begun) return refresh(options, begun);
    await sleep(pollMs);
    const valid = await readValid(options, workspaceId, id, refused);
    if (valid) return valid;
  }
  throw new AppError('unavailable', 'The account is being refreshed for unusually long. Try again in a minute.');
}

/** Takes the lease; null when somebody else has it, and the token itself when somebody refreshed it since it was read. */
async function beginRefresh(
  options: Options,
  workspaceId: string,
  id: string,
  refused?: string,
): Promise<Lease | string | null> {
  return options.transactions.run(workspaceId, 'write', async (db) => {
    const at = options.now();
    const row = await takeLease(db, id, at, new Date(at.getTime() + leaseMs));
    if (!row) return null;
    const renewed = await validToken(options, db, row, refused);
    if (renewed) {
      await giveBack(db, id, row.lease_token);
      return renewed;
    }
    if (row.retry_at && row.retry_at > at) throw holdOff(row.retry_at, at);
    if (!row.refresh_token) throw reconnect(options, row);
    const refreshToken = await open(options, db, row, 'refresh_token', row.refresh_token);
    return { row, client: await options.clients.get(db, workspaceId, row.provider), refreshToken };
  });
}

async function refresh(options: Options, { row, client, refreshToken }: Lease): Promise<string> {
  let tokens: Tokens;
  try {
    tokens = await refreshTokens(options.egress, client, refreshToken);
  } catch (error) {
    if (error instanceof InvalidGrant) return afterInvalidGrant(options, row);
    await options.transactions.run(row.workspace_id, 'write', (db) =>
      backOff(db, row.id, row.lease_token, nextTry(options, row)),
    );
    throw error;
  }
  const isStored = await options.transactions.run(row.workspace_id, 'write', (db) =>
    sealAndStore(options, db, row, tokens, row.lease_token),
  );
  if (isStored) return tokens.accessToken;
  return refreshedByAnother(options, row);
}

/** Before an account is declared dead it is read again: somebody may have linked or refreshed it meanwhile. */
async function afterInvalidGrant(options: Options, row: ConnectionRow): Promise<string> {
  const reason = `${row.account} no longer lets this server in. Link the account again.`;
  const isEnded = await options.transactions.run(row.workspace_id, 'write', async (db) => {
    const ended = await endConnection(db, row.id, reason, row.lease_token, options.now());
    if (ended) await tellChanged(options, db, row);
    return ended;
  });
  if (isEnded) throw reconnect(options, { ...row, status_reason: reason });
  return refreshedByAnother(options, row);
}

async function refreshedByAnother(options: Options, row: ConnectionRow): Promise<string> {
  const token = await readValid(options, row.workspace_id, row.id);
  if (token) return token;
  throw new AppError('unavailable', `${row.account} was linked again at this moment. Try once more.`);
}

/** Seals tokens and stores them; false when the lease was lost. */
export async function sealAndStore(
  options: Pick<Options, 'vault' | 'now'>,
  db: Db,
  row: Pick<ConnectionRow, 'id' | 'workspace_id'>,
  tokens: Tokens,
  lease: number | null,
) {
  const at = options.now();
  const place = { workspaceId: row.workspace_id, table: 'connections', row: row.id };
  const sealed = {
    accessToken: await options.vault.seal(db, { ...place, column: 'access_token' }, tokens.accessToken),
    accessExpiresAt: new Date(at.getTime() + tokens.expiresInSeconds * 1000),
    refreshToken: tokens.refreshToken
      ? await options.vault.seal(db, { ...place, column: 'refresh_token' }, tokens.refreshToken)
      : null,
  };
  return storeTokens(db, row.id, sealed, lease, at);
}

async function tellChanged(options: Options, db: Db, row: ConnectionRow): Promise<void> {
  const event = connectionChanged({ connection_id: row.id, status: 'revoked' }, { personId: row.person_id });
  await storeEvent(db, event, { id: options.newId(), workspaceId: row.workspace_id, at: options.now() });
}

function open(options: Options, db: Db, row: ConnectionRow, column: 'access_token' | 'refresh_token', sealed: string) {
  return options.vault.open(db, { workspaceId: row.workspace_id, table: 'connections', row: row.id, column }, sealed);
}

function nextTry({ now }: Options, row: ConnectionRow): Date {
  const wait = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(row.refresh_failures, 10));
  return new Date(now().getTime() + wait);
}

function holdOff(retryAt: Date, at: Date): AppError {
  const seconds = Math.ceil((retryAt.getTime() - at.getTime()) / 1000);
  return new AppError('unavailable', `The provider could not renew the access. It is tried again in ${seconds} s.`, {
    retry_after: seconds,
  });
}

function reconnect({ publicUrl }: Options, row: Pick<ConnectionRow, 'id' | 'account' | 'status_reason'>): AppError {
  const reason = row.status_reason ?? `${row.account} has to be linked again.`;
  return new AppError('unavailable', `${reason} Open ${publicUrl}/integrations`, {
    connection_id: row.id,
    reconnect_url: `${publicUrl}/integrations`,
  });
}
