// Stores the state of oidc-provider: in rows under row level security, by hashes. No raw token, code or id of it is
// stored.
import type { Db } from '#kernel/database';
import { enterWorkspace, presentHash, writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { buildProtocolName, parseProtocolName } from './protocol-names.ts';
import { routes } from './routes.ts';
import { findGrant, lockGrant, markConnected, type EndReason } from '../store/grants.ts';
import {
  dropRequest,
  findClient,
  findRequest,
  keepClient,
  putClient,
  putRequest,
  useRequest,
} from '../store/requests.ts';
import {
  dropToken,
  dropGrantTokens,
  findToken,
  insertToken,
  findTokenOwner,
  useToken,
  type TokenKind,
} from '../store/tokens.ts';
import { getCurrentUnit } from './unit.ts';

/**
 * A client that registered itself and was never allowed is deleted after the first period; a used one after the second.
 */
const unusedClientSeconds = 24 * 60 * 60;
export const usedClientSeconds = 180 * 24 * 60 * 60;

type Deps = {
  db: Kysely<unknown>;
  publicUrl: string;
  now: () => Date;
  /** Ends a grant, and notifies its person unless they did it themselves. */
  endGrant(db: Db, grant: { workspaceId: string; id: string; reason: EndReason }): Promise<void>;
  /** Why the current request ends a grant. */
  endReason(): EndReason;
};
type Methods = Partial<Adapter>;

/** Creates the adapter: a part for each kind of item that oidc-provider stores. */
export function createAdapter(deps: Deps): (kind: string) => Adapter {
  const run = <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const unit = getCurrentUnit();
    return unit ? work(unit.db) : writePresented(deps.db, [], work);
  };
  const kinds: Record<string, Methods> = {
    Client: createClientMethods(run),
    Interaction: createInteractionMethods(run, deps.publicUrl),
    DeviceCode: createDeviceCodeMethods(run, deps.now),
    AuthorizationCode: createTokenMethods(run, 'code', deps.now),
    AccessToken: createTokenMethods(run, 'access', deps.now),
    RefreshToken: createTokenMethods(run, 'refresh', deps.now),
    Grant: createGrantMethods(run, deps),
    Session: noSessions,
  };
  return (kind) => complete(kind, kinds[kind] ?? {});
}

type RunInTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Calling an unused method is a mistake. */
function complete(kind: string, methods: Methods): Adapter {
  const refuse = () => Promise.reject(new Error(`oidc-provider uses a ${kind} in a way that is not supported here`));
  return {
    upsert: refuse,
    find: refuse,
    findByUserCode: refuse,
    findByUid: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: () => Promise.resolve(), // ending the grant deletes its tokens
    ...methods,
  };
}

/** Our own session identifies the person. The library's session is never stored, so that none outlives one answer. */
const noSessions: Methods = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  destroy: () => Promise.resolve(),
};

function createClientMethods(run: RunInTransaction): Methods {
  return {
    upsert: (id, payload) =>
      run((db) => {
        const { client_secret: secret, ...rest } = payload;
        const stored = typeof secret === 'string' ? { ...rest, client_secret: hashSecret(secret) } : rest;
        return putClient(db, { hash: hashSecret(id), payload: stored }, unusedClientSeconds);
      }),
    // A document is fetched again when a client asks to connect, never during a token exchange.
    find: async (id) =>
      id.startsWith('https://') && !getCurrentUnit() ? undefined : run((db) => findClient(db, hashSecret(id))),
  };
}

function createInteractionMethods(run: RunInTransaction, publicUrl: string): Methods {
  return {
    upsert: (id, { jti: _id, returnTo: _address, ...payload }, expiresIn = 0) =>
      run((db) => putRequest(db, { request_hash: hashSecret(id), user_code_hash: null, payload }, expiresIn)),
    async find(id) {
      const row = await run((db) => findRequest(db, hashSecret(id)));
      return row && { ...row.payload, jti: id, returnTo: `${publicUrl}${routes.authorize}/${id}` };
    },
    destroy: (id) => run((db) => dropRequest(db, hashSecret(id))),
  };
}

function createDeviceCodeMethods(run: RunInTransaction, now: () => Date): Methods {
  return {
    upsert: (id, { jti: _id, userCode, ...payload }, expiresIn = 0) =>
      run((db) => {
        const user_code_hash = typeof userCode === 'string' ? hashSecret(userCode) : null;
        return putRequest(db, { request_hash: hashSecret(id), user_code_hash, payload }, expiresIn);
      }),
    async find(id) {
      const row = await run((db) => findRequest(db, hashSecret(id)));
      return row && { ...row.payload, jti: id, ...(row.used_at && { consumed: true }) };
    },
    consume: (id) =>
      run(async (db) => {
        const row = await findRequest(db, hashSecret(id));
        if (!row || !(await useRequest(db, hashSecret(id)))) throw createAlreadyUsedError('device code');
        if (row.payload['grantId']) await connect(db, row.payload, now()); // none: the person declined
      }),
  };
}

function createTokenMethods(run: RunInTransaction, kind: TokenKind, now: () => Date): Methods {
  return {
    upsert: (id, { jti: _id, ...payload }, expiresIn = 0) =>
      run(async (db) => {
        const grant = parseProtocolName(payload.grantId);
        await enterWorkspace(db, grant.workspaceId);
        const parent_hash = kind === 'refresh' ? (getCurrentUnit()?.parent ?? null) : null;
        const row = {
          token_hash: hashSecret(id),
          workspace_id: grant.workspaceId,
          grant_id: grant.id,
          kind,
          parent_hash,
        };
        await insertToken(db, { ...row, payload }, expiresIn);
      }),
    find: (id) => run((db) => readPresentedToken(db, id, kind)),
    consume: (id) =>
      run(async (db) => {
        const hash = hashSecret(id);
        const token = await readPresentedToken(db, id, kind);
        if (!token || !(await useToken(db, hash, kind)))
          throw createAlreadyUsedError(kind === 'code' ? 'authorization code' : 'refresh token');
        const unit = getCurrentUnit();
        if (kind === 'code') {
          if (unit) unit.code = hash;
          redeemedHere.set(hash, true);
          await dropGrantTokens(db, parseProtocolName(token.grantId).id);
          await connect(db, token, now());
        } else {
          if (unit) unit.parent = hash;
          await keepClient(db, hashSecret(String(token.clientId)), usedClientSeconds);
        }
      }),
    destroy: (id) =>
      run(async (db) => {
        const token = await readPresentedToken(db, id, kind);
        if (token) await dropToken(db, hashSecret(id));
      }),
  };
}

/**
 * Codes that this process redeemed: it is alive, so their answers were not lost by a crash. Other processes use the
 * row.
 */
const redeemedHere = new LRUCache<string, true>({ max: 10_000 });

/** The grant has its first tokens, so its client is stored for longer. */
async function connect(db: Db, payload: AdapterPayload, at: Date): Promise<void> {
  const grant = parseProtocolName(payload.grantId);
  await enterWorkspace(db, grant.workspaceId);
  await markConnected(db, grant.id, at);
  await keepClient(db, hashSecret(String(payload.clientId)), usedClientSeconds);
}

/** A token by its hash. A caller that presents one waits until no other is using a token of the same grant. */
async function readPresentedToken(db: Db, id: string, kind: TokenKind): Promise<AdapterPayload | undefined> {
  const hash = hashSecret(id);
  await presentHash(db, hash);
  const owner = await findTokenOwner(db, hash, kind);
  if (!owner) return undefined;
  await enterWorkspace(db, owner.workspace_id);
  if (kind !== 'access') await lockGrant(db, owner.grant_id);
  const token = await findToken(db, hash, kind);
  if (!token || token.state === 'used_just_now') return undefined;
  if (token.state === 'served_again' && redeemedHere.has(hash)) return undefined;
  const exp = Math.floor(token.expires_at.getTime() / 1000);
  return { ...token.payload, jti: id, exp, ...(token.state === 'used' && { consumed: true }) };
}

function createGrantMethods(run: RunInTransaction, { endGrant, endReason }: Deps): Methods {
  return {
    find: (name) =>
      run(async (db) => {
        const { workspaceId, id } = parseProtocolName(name);
        await enterWorkspace(db, workspaceId);
        const grant = await findGrant(db, id);
        if (!grant || grant.ended_at) return undefined;
        return {
          jti: name,
          kind: 'Grant',
          iat: toSeconds(grant.created_at),
          accountId: buildProtocolName({ workspaceId, id: grant.person_id }),
          clientId: grant.client_id,
          resources: { [grant.resource]: grant.scopes.join(' ') },
          ...(grant.expires_at && { exp: toSeconds(grant.expires_at) }),
        };
      }),
    destroy: (name) =>
      run(async (db) => {
        const { workspaceId, id } = parseProtocolName(name);
        await enterWorkspace(db, workspaceId);
        await endGrant(db, { workspaceId, id, reason: endReason() });
      }),
  };
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

function createAlreadyUsedError(what: string): errors.InvalidGrant {
  return new errors.InvalidGrant(`${what} already used`);
}
