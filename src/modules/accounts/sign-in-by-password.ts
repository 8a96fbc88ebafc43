import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented, writePresented } from '#platform/database';
import { sql } from 'kysely';
import { admit, type Admission } from './admission.ts';
import { beginAttempt, endAttempt, type Subject } from './attempts.ts';
import { enter } from './enter.ts';
import { isPassword } from './passwords.ts';
import { addressHash, identityHash } from './identity-hashes.ts';
import { enteringOf, type SignInOptions, type Visit } from './sign-in-ways.ts';
import { changeAuthenticator, findOfKind, type AuthenticatorRow } from './store/authenticators.ts';
import { identityByAddress } from './store/identities.ts';
import { peopleByAddress } from './store/people.ts';

/**
 * Signs in by an address and a password. The answer, the time and the work are the same for an unknown address, an
 * address without a password, and a wrong password.
 */
export async function byPassword(
  options: SignInOptions,
  given: { email: string; password: string },
  visit: Visit,
): Promise<Admission> {
  const { db, now, newId } = options;
  const { email, password } = given;
  const subjects: Subject[] = [`address ${email.toLowerCase()}`, `client ${visit.client}`];
  await beginAttempt(db, subjects, now());
  const known = await readPresented(db, addressHash(email), (tx) => passwordBehind(tx, email));
  const isRight = await isPassword(password, known ? String(known.data['hash']) : null);
  if (!isRight || !known) throw refused();
  const { identity_id: identityId } = known;
  const admission = await writePresented(db, [identityHash(identityId)], async (tx) => {
    const entering = enteringOf(options);
    await changeAuthenticator(tx, known.id, { last_used_at: entering.at });
    const entered = await enter(tx, identityId, visit.workspaceId, entering);
    if (!entered) return null;
    const { userAgent } = visit;
    return admit(tx, { ...entered, newId, method: 'password', isHumanSurface: true, userAgent, at: entering.at });
  });
  if (!admission) throw refused();
  await endAttempt(db, subjects);
  return admission;
}

/**
 * The password of the identity that has proved an address. If none has, that of the one person with it: without a mail
 * server no address can be proved.
 */
async function passwordBehind(db: Db, email: string): Promise<AuthenticatorRow | undefined> {
  const hash = addressHash(email);
  const proved = await identityByAddress(db, hash);
  const people = await peopleByAddress(db, hash);
  const ids = proved ? [proved] : [...new Set(people.map(({ identity_id }) => identity_id))];
  const [identityId, ...others] = ids;
  if (!identityId || others.length) return undefined;
  await sql`select set_config('thalamus.presented_hash', ${identityHash(identityId)}, true)`.execute(db);
  return findOfKind(db, identityId, 'password');
}

function refused(): AppError {
  return new AppError('unauthenticated', 'The address or the password is wrong. Try again, or sign in another way.');
}
