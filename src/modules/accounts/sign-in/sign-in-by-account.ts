// Signs people in with an account at a provider, which is identified by its issuer and subject.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import { sql } from 'kysely';
import { z } from 'zod';
import { enter, findOrCreateProvedIdentity, proveAddress, type EnterDeps } from './enter.ts';
import { openSession, type NewSession } from '../sessions/open-session.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { buildEnterDeps, type SignInOptions, type SignInVisit } from './sign-in-ways.ts';
import {
  changeAuthenticator,
  findByLookup,
  insertAuthenticator,
  listAuthenticators,
  type AuthenticatorRow,
} from '../store/authenticators.ts';
import { readIdentityId } from '../store/people.ts';

/** A proved account. `email`: an address that the provider verified, as the provider writes it. */
export type Account = { issuer: string; subject: string; provider: string; label: string; email: string | null };

/**
 * One address, possibly at a host without a dot, and nothing that a mail program would read as a list, a name or a
 * comment.
 */
const oneAddress = z
  .string()
  .max(320)
  .regex(/^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/);

/**
 * The verified address of an account; null for a text that is not exactly one address, such as a list, because no part
 * of it was proved.
 */
function getVerifiedAddress({ email }: Account): string | null {
  const parsed = oneAddress.safeParse(email);
  return parsed.success ? parsed.data : null;
}

function hashAccount({ issuer, subject }: Account): string {
  return hashSecret(`account ${issuer} ${subject}`);
}

/** Opens a session for the owner of this account. Null: unknown, or not in the named workspace. */
export function signInWithAccount(
  options: SignInOptions,
  account: Account,
  visit: SignInVisit,
): Promise<NewSession | null> {
  const hash = hashAccount(account);
  return writePresented(options.db, [hash], async (tx) => {
    const entering = buildEnterDeps(options);
    const known = await findByLookup(tx, hash);
    const identityId = known
      ? await useKnownAccount(tx, known, account, entering)
      : await linkByAddress(tx, account, hash, entering);
    const entered = identityId && (await enter(tx, identityId, visit.workspaceId, entering));
    if (!entered) return null;
    const opening = { ...entered, id: options.newId(), method: 'provider' as const, isHumanSurface: true };
    return openSession(tx, { ...opening, userAgent: visit.userAgent, at: entering.at });
  });
}

/** The identity that has the account. An address that the provider has verified since then is proved now. */
async function useKnownAccount(
  db: Db,
  known: AuthenticatorRow,
  account: Account,
  entering: EnterDeps,
): Promise<string> {
  const { identity_id: identityId } = known;
  await sql`select set_config('thalamus.presented_hash', ${hashIdentity(identityId)}, true)`.execute(db);
  await changeAuthenticator(db, known.id, { last_used_at: entering.at });
  const email = getVerifiedAddress(account);
  if (email) await proveAddress(db, { email, identityId }, entering);
  return identityId;
}

/**
 * Links an account to the owner of its verified address, the first time. An identity that already has an authenticator,
 * or another account there, is skipped: it links accounts while it is signed in.
 */
async function linkByAddress(db: Db, account: Account, hash: string, entering: EnterDeps): Promise<string | null> {
  const email = getVerifiedAddress(account);
  if (!email) return null;
  const identityId = await findOrCreateProvedIdentity(db, email, entering);
  if (!identityId) return null;
  const others = await listAuthenticators(db, identityId);
  const isOwn = ({ kind, data }: AuthenticatorRow) => kind !== 'provider' || data['issuer'] === account.issuer;
  if (others.some(isOwn)) return null;
  return (await link(db, identityId, account, hash, entering)) ? identityId : null;
}

function link(
  db: Db,
  identityId: string,
  account: Account,
  hash: string,
  { at, newId }: Pick<EnterDeps, 'at' | 'newId'>,
) {
  const { issuer, provider, label } = account;
  return insertAuthenticator(db, {
    id: newId(),
    identity_id: identityId,
    kind: 'provider',
    label,
    lookup_hash: hash,
    data: { issuer, provider },
    confirmed_at: at,
    at,
  });
}

/** Links an account to the signed-in person. Throws when it belongs to another person. */
export async function linkAccount(options: SignInOptions, caller: Caller, account: Account): Promise<void> {
  const { db, transactions, newId, ends } = options;
  const identityId = await transactions.run(caller.workspaceId, 'read', (bound) =>
    readIdentityId(bound, caller.personId),
  );
  const hash = hashAccount(account);
  await writePresented(db, [hash, hashIdentity(identityId)], async (tx) => {
    const at = options.now();
    const known = await findByLookup(tx, hash);
    if (known && known.identity_id !== identityId)
      throw new AppError('conflict', 'Somebody else signs in with this account. Choose another one.');
    if (!known) await link(tx, identityId, account, hash, { at, newId });
    const email = getVerifiedAddress(account);
    if (email) await proveAddress(tx, { email, identityId }, { at, newId, ends });
  });
}
