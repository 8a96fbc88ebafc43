import { AppError } from '#kernel/errors';
import { withPresentedHashes } from '#platform/database';
import { presentSecret, useSecret } from '#platform/one-time-secrets';
import { secondFactorPurpose } from './admission.ts';
import { beginAttempt, endAttempt, type Subject } from './attempts.ts';
import { openSession, type NewSession } from '../sessions/open-session.ts';
import { hashIdentity } from '../identity-hashes.ts';
import type { SignInOptions, SignInVisit } from './sign-in-ways.ts';
import { findPending } from '../store/pending.ts';
import { findPerson, readIdentityId } from '../store/people.ts';
import { acceptCode } from './totp.ts';

/**
 * Continues after a password or a mailed link, with a code of the app or a recovery code. Wrong codes are slowed down;
 * the secret stays valid.
 */
export async function signInWithSecondFactor(
  options: SignInOptions,
  given: { secret: string; code: string },
  visit: SignInVisit,
): Promise<NewSession> {
  const { db, transactions, vault, now, newId } = options;
  const presented = await presentSecret(db, secondFactorPurpose, given.secret);
  if (!presented || presented.usedAt || presented.expiresAt <= now()) throw createSignInExpiredError();
  const { workspaceId, subjectId } = presented;
  const pending = await transactions.run(workspaceId, 'read', async (bound) => {
    const row = await findPending(bound, subjectId);
    const person = row && (await findPerson(bound, row.person_id));
    return row && person ? { ...row, identityId: await readIdentityId(bound, person.id) } : null;
  });
  if (!pending) throw createSignInExpiredError();
  const { identityId, person_id: personId, method } = pending;
  const subject: Subject = `identity ${identityId}`;
  await beginAttempt(db, subject, now());
  const session = await transactions.run(workspaceId, 'write', async (bound) => {
    const at = now();
    const isRight = await withPresentedHashes(bound, [hashIdentity(identityId)], () =>
      acceptCode(bound, vault, identityId, given.code, at),
    );
    if (!isRight) throw createWrongCodeError();
    if (!(await useSecret(bound, secondFactorPurpose, { secret: given.secret, at }))) throw createSignInExpiredError();
    const entered = { identityId, personId, workspaceId };
    const { userAgent } = visit;
    return openSession(bound, { ...entered, id: newId(), method, isHumanSurface: true, userAgent, at });
  });
  await endAttempt(db, subject);
  return session;
}

function createWrongCodeError(): AppError {
  return new AppError('unauthenticated', 'The code is wrong or was used before. Wait for the next one and try again.');
}

function createSignInExpiredError(): AppError {
  return new AppError('unauthenticated', 'You took too long to sign in. Start again.');
}
