// Attempts to sign in are slowed for each address, each identity and each client, by rows that all processes share.
import { AppError } from '#kernel/errors';
import { writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { countAttempt, forgetAttempts, type Patience } from './store/attempts.ts';

/** The subjects that failed attempts count against: the account, or the machine that tries. */
export type Subject = `address ${string}` | `identity ${string}` | `client ${string}`;

const ofPerson: Patience = { free: 5, firstWaitSeconds: 15, longestWaitSeconds: 900, forgottenAfterMinutes: 60 };
/** Many people may share an address of the network. */
const ofClient: Patience = { ...ofPerson, free: 50 };

/**
 * Counts an attempt before it is made. Throws `rate_limited` when one of the subjects has to wait, whether or not the
 * account exists.
 */
export async function beginAttempt(db: Kysely<unknown>, subjects: readonly Subject[], at: Date): Promise<void> {
  let blockedUntil: Date | null = null;
  for (const subject of subjects) {
    const hash = hashSecret(subject);
    const patience = subject.startsWith('client ') ? ofClient : ofPerson;
    blockedUntil ??= await writePresented(db, [hash], (tx) => countAttempt(tx, hash, patience, at));
  }
  if (!blockedUntil) return;
  const seconds = Math.max(1, Math.ceil((blockedUntil.getTime() - at.getTime()) / 1000));
  throw new AppError('rate_limited', `Too many attempts failed. Wait ${seconds} s and try again.`, {
    retry_after: seconds,
  });
}

/**
 * Deletes the failures of an account after a successful sign-in. A client's failures are kept: it may have tried other
 * accounts.
 */
export async function endAttempt(db: Kysely<unknown>, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects.filter((each) => !each.startsWith('client '))) {
    const hash = hashSecret(subject);
    await writePresented(db, [hash], (tx) => forgetAttempts(tx, hash));
  }
}
