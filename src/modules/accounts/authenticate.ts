import { createCaller, type Caller } from '#kernel/caller';
import { callerKindNames, callerKinds, type CallerKindName } from '#kernel/caller-kinds';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Event, EmitEvent } from '#kernel/event';
import { listRoleScopes } from '#kernel/scopes';
import { readPersonalBrainId } from '#modules/brains';
import { enterWorkspace, readPresented } from '#platform/database';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { hashSecret } from '#platform/one-time-secrets';
import { keyUsedElsewhere } from './events.ts';
import { findKeyByHash, isInForce, lockInForce, notePlace, touchKey } from './store/keys.ts';
import { findPerson } from './store/people.ts';
import {
  findSessionByHash,
  findSessionKeyId,
  lockOpenSession,
  touchSession,
  type SessionRow,
} from './store/sessions.ts';

/** A credential as it was presented. */
export type PresentedCredential = {
  secret: string;
  /** The second secret of a session: without it a session does not authenticate a caller. */
  proof?: string | undefined;
  /** The network address that it came from. */
  from?: string;
};

/** Turns a credential into its caller. Throws `unauthenticated` with the reason. */
export type Authenticate = (credential: PresentedCredential) => Promise<Caller>;

const cachedForMs = 1000;
const usedEveryMs = 60_000;
const mostCached = 10_000;

/**
 * Makes the one function that authenticates. Results are cached for a second at most, so that a revoked key is refused
 * everywhere within that time and a busy key costs one look-up per second.
 */
export function createAuthenticate(options: {
  db: Kysely<unknown>;
  transactions: Transactions;
  /** Credentials of other modules. */
  others: Credentials;
  emitEvent: EmitEvent;
  now: () => Date;
  newId: () => string;
}): Authenticate {
  const credentials = { ...ownCredentials, ...options.others };
  const noteUse = createNoteUse(options, credentials);
  const cache = new LRUCache<string, { until: number; caller: Promise<Caller> }>({ max: mostCached });
  return async function authenticate({ secret, proof, from = '' }) {
    const [hash, proofHash] = [hashSecret(secret), proof === undefined ? null : hashSecret(proof)];
    const at = options.now();
    const cacheKey = `${hash} ${proofHash}`;
    const cached = cache.get(cacheKey);
    if (cached && cached.until > at.getTime()) {
      cached.caller.then((caller) => noteUse(caller, from)).catch(() => {});
      return cached.caller;
    }
    const caller = readPresented(options.db, hash, (db) =>
      findCaller(credentials, db, { secret, hash, proofHash, at }),
    );
    cache.set(cacheKey, { until: at.getTime() + cachedForMs, caller });
    caller.then(
      (known) => noteUse(known, from),
      () => cache.delete(cacheKey),
    );
    return caller;
  };
}

type NotingUse = { transactions: Transactions; emitEvent: EmitEvent; now: () => Date; newId: () => string };

/** Records the last use of a credential and its network, about once a minute, in parallel with the call. */
function createNoteUse({ transactions, emitEvent, now, newId }: NotingUse, credentials: Credentials) {
  const noted = new LRUCache<string, number>({ max: mostCached });
  return function noteUse(caller: Caller, from: string): void {
    const { id, workspaceId } = caller;
    const [at, name] = [now(), `${id} ${from}`];
    const { touch, notePlace: noteFrom } = credentials[caller.kind] ?? {};
    if (!touch || at.getTime() - (noted.get(name) ?? 0) < usedEveryMs) return;
    noted.set(name, at.getTime());
    const note = async (db: Db) => {
      await touch(db, id, at);
      const place = formatNetwork(from);
      const event = place && (await noteFrom?.(db, { caller, place, at }));
      if (event) await emitEvent(db, event, { id: newId(), workspaceId, at });
    };
    transactions.run(workspaceId, 'write', note).catch(() => noted.delete(name));
  };
}

/** A network: the first three numbers of an IPv4 address, or what `getClientAddress` keeps of an IPv6 address. */
function formatNetwork(from: string): string {
  return from.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');
}

/** The hashes of a presented credential, and of its second secret if it came with one. */
type CredentialHashes = { hash: string; proofHash: string | null };

/** How a caller is found by the hash of its credential, which makes its row visible, and how its use is recorded. */
type Credential = {
  find(db: Db, hash: string, at: Date, proofHash: string | null): Promise<Caller>;
  touch(db: Db, id: string, at: Date): Promise<void>;
  /** Whether it is still valid; locks it until the transaction ends. */
  lockInForce?(db: Db, id: string, at: Date): Promise<boolean>;
  /** Records the network of a use. Returns the notice to its person about a new network. */
  notePlace?(db: Db, use: CredentialUse): Promise<Event | null>;
};

/** A call with a credential, and the network that it came from. */
export type CredentialUse = { caller: Caller; place: string; at: Date };

/** Credentials by the kind of their callers; the prefix identifies the kind. */
export type Credentials = Partial<Record<CallerKindName, Credential>>;

/** The credentials of this module. */
export const ownCredentials: Credentials = {
  key: { find: readKeyCaller, touch: touchKey, lockInForce, notePlace: notePlaceOfKey },
  session: { find: readSessionCaller, touch: touchSession, lockInForce: lockSession },
};

async function findCaller(
  credentials: Credentials,
  db: Db,
  { secret, hash, proofHash, at }: CredentialHashes & { secret: string; at: Date },
): Promise<Caller> {
  const kind = callerKindNames.find((name) => secret.startsWith(`${callerKinds[name].prefix}_`));
  const find = kind && credentials[kind]?.find;
  if (!find)
    throw createUnauthenticatedError(
      `This is not a key or session of this server. Keys begin with ${callerKinds.key.prefix}_.`,
    );
  return find(db, hash, at, proofHash);
}

async function readKeyCaller(db: Db, hash: string, at: Date): Promise<Caller> {
  const key = await findKeyByHash(db, hash);
  if (!key)
    throw createUnauthenticatedError('No such key. Check that it was copied whole, or make a new one in the console.');
  if (key.revoked_at) throw createUnauthenticatedError('This key was revoked. Make a new one in the console.');
  if (key.paused_at) throw createUnauthenticatedError('This key is paused. Resume it in the console.');
  if (key.key_hash !== hash && !(key.previous_until && key.previous_until > at))
    throw createUnauthenticatedError('This key was replaced by a new one. Use the new one.');
  if (key.expires_at && key.expires_at <= at)
    throw createUnauthenticatedError('This key has expired. Make a new one in the console.');
  const person = await readCredentialPerson(db, key.workspace_id, key.person_id);
  return createCaller({
    kind: 'key',
    id: key.id,
    label: key.label,
    workspaceId: key.workspace_id,
    personId: key.person_id,
    role: person.role,
    scopes: new Set(listRoleScopes(person.role).filter((scope) => key.scopes.includes(scope))),
    homeBrainId: key.home_brain_id,
    reach: key.reach,
    ownRules: key.rules,
  });
}

async function readSessionCaller(db: Db, hash: string, at: Date, proofHash: string | null): Promise<Caller> {
  const session = await findOpenSession(db, hash, at);
  if (proofHash === null || session.proof_hash !== proofHash)
    throw createUnauthenticatedError(
      'This browser has no proof of its session. Only the page that signed in has the proof. Sign in again.',
    );
  return buildSessionCaller(db, session, at);
}

/** The open session with this cookie. Throws `unauthenticated` when there is none. */
export async function findOpenSession(db: Db, hash: string, at: Date): Promise<SessionRow> {
  const session = await findSessionByHash(db, hash);
  if (session && !session.revoked_at && session.expires_at > at) return session;
  throw createUnauthenticatedError('This session has ended. Sign in again.');
}

/** The rights of a session's person. The caller has checked the presented credential. */
export async function buildSessionCaller(db: Db, session: SessionRow, at: Date): Promise<Caller> {
  const person = await readCredentialPerson(db, session.workspace_id, session.person_id);
  if (session.made_by_key && !(await isInForce(db, session.made_by_key, at)))
    throw createUnauthenticatedError('This session ended with the key that opened it. Sign in again.');
  return createCaller({
    kind: 'session',
    id: session.id,
    label: person.name,
    workspaceId: session.workspace_id,
    personId: session.person_id,
    role: person.role,
    scopes: new Set(listRoleScopes(person.role)),
    homeBrainId: await readPersonalBrainId(db, person.id),
    isHumanSurface: session.is_human_surface,
  });
}

async function lockSession(db: Db, id: string, at: Date): Promise<boolean> {
  const key = await findSessionKeyId(db, id);
  return (await lockOpenSession(db, id, at)) && (key === null || (await lockInForce(db, key, at)));
}

async function notePlaceOfKey(db: Db, { caller, place, at }: CredentialUse): Promise<Event | null> {
  const { id: keyId, label, workspaceId, personId } = caller;
  const isElsewhere = await notePlace(db, { keyId, workspaceId, place, at });
  return isElsewhere ? keyUsedElsewhere({ key_id: keyId, label, place }, { personId }) : null;
}

/** Continues in the credential's workspace: from here on only its rows are visible. */
async function readCredentialPerson(db: Db, workspaceId: string, personId: string) {
  await enterWorkspace(db, workspaceId);
  const person = await findPerson(db, personId);
  if (!person) throw createUnauthenticatedError('The account behind this credential was deleted.');
  return person;
}

function createUnauthenticatedError(message: string): AppError {
  return new AppError('unauthenticated', message);
}
