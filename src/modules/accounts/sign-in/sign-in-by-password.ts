import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { withPresentedHashes, readPresented, writePresented } from '#platform/database';
import { createTurnsByKey } from '#platform/turns';
import { admit, type Admission } from './admission.ts';
import { beginGuess, endGuess } from './attempts.ts';
import { enter } from './enter.ts';
import { isPassword } from './passwords.ts';
import { hashAddress, hashIdentity } from '../identity-hashes.ts';
import { buildEnterDeps, type SignInOptions, type SignInVisit } from './sign-in-ways.ts';
import { changeAuthenticator, findOfKind, type AuthenticatorRow } from '../store/authenticators.ts';
import { findPresentedIdentity } from '../store/identities.ts';
import { listPeopleByAddress } from '../store/people.ts';

/** Checking a password takes a core, and anybody may try. One client's guesses do not delay another client's. */
const inTurn = createTurnsByKey({ atOnce: 2, waitingEach: 20 });
/** The most people with the same unproved address whose passwords are tried. */
const mostOwners = 5;

type PasswordInput = { email: string; password: string };

/**
 * Signs in by an address and a password. The answer, the time and the work are the same for an unknown address, an
 * address without a password, and a wrong password.
 */
export async function signInWithPassword(
  options: SignInOptions,
  given: PasswordInput,
  visit: SignInVisit,
): Promise<Admission> {
  const { db, newId } = options;
  const known = await inTurn(visit.client, () => checkPassword(options, given, visit));
  const { identity_id: identityId } = known;
  const admission = await writePresented(db, [hashIdentity(identityId)], async (tx) => {
    const entering = buildEnterDeps(options);
    await changeAuthenticator(tx, known.id, { last_used_at: entering.at });
    const entered = await enter(tx, identityId, visit.workspaceId, entering);
    if (!entered) return null;
    const { userAgent } = visit;
    return admit(tx, { ...entered, newId, method: 'password', isHumanSurface: true, userAgent, at: entering.at });
  });
  if (!admission) throw createWrongPasswordError();
  await endGuess(db, { email: given.email, client: visit.client });
  return admission;
}

/** The authenticator that the password matches. A guess is counted when its turn comes. Throws when none matches. */
async function checkPassword(
  options: SignInOptions,
  given: PasswordInput,
  visit: SignInVisit,
): Promise<AuthenticatorRow> {
  const { db, now } = options;
  const { email, password } = given;
  await beginGuess(db, { email, client: visit.client }, now());
  const passwords = await readPresented(db, hashAddress(email), (tx) => listPasswordCandidates(tx, email));
  if (!passwords.length) await isPassword(password, null); // the same work as for a known address
  for (const each of passwords) if (await isPassword(password, String(each.data['hash']))) return each;
  throw createWrongPasswordError();
}

/**
 * The passwords of the identity that has proved an address. If none has, those of all people with it, the oldest first:
 * without a mail server no address can be proved, and somebody who joins another workspace with it must lock nobody
 * out.
 */
async function listPasswordCandidates(db: Db, email: string): Promise<AuthenticatorRow[]> {
  const hash = hashAddress(email);
  const proved = await findPresentedIdentity(db, hash);
  const people = await listPeopleByAddress(db, hash);
  const ids = proved ? [proved] : [...new Set(people.map(({ identity_id }) => identity_id))].slice(0, mostOwners);
  const passwords: AuthenticatorRow[] = [];
  for (const id of ids) {
    const found = await withPresentedHashes(db, [hashIdentity(id)], () => findOfKind(db, id, 'password'));
    if (found) passwords.push(found);
  }
  return passwords;
}

function createWrongPasswordError(): AppError {
  return new AppError('unauthenticated', 'The address or the password is wrong. Try again, or sign in another way.');
}
