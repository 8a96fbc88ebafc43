// Slows down attempts to sign in for each address, each identity and each client, with rows that all processes share.
import { listClientNetworks } from '#kernel/client-networks';
import { AppError } from '#kernel/errors';
import { writePresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import {
  countAttempt,
  forgetAttempts,
  removeAttempt,
  type AttemptCount,
  type AttemptLimit,
} from '../store/attempts.ts';

type Db = Kysely<unknown>;

/** An account that somebody tries to sign in to. */
export type Subject = `identity ${string}`;

/** An attempt of a client with a password for an address. */
export type SignInAttempt = { email: string; client: string };

const ofPerson: AttemptLimit = { free: 5, firstWaitSeconds: 15, longestWaitSeconds: 900, forgottenAfterMinutes: 60 };
/** Many people may share a network address. */
const ofClient: AttemptLimit = { ...ofPerson, free: 50 };

/** Counts an attempt before it is made. Throws `rate_limited` when the account must wait. */
export async function beginAttempt(db: Db, subject: Subject, at: Date): Promise<void> {
  refuseUntil((await count(db, subject, ofPerson, at)).blockedUntil, at);
}

/** Deletes the failures of an account after a successful sign-in. */
export async function endAttempt(db: Db, subject: Subject): Promise<void> {
  await forget(db, subject);
}

/**
 * Counts a guess before it is checked: for the client, for the address, and for both together. Throws `rate_limited`
 * when one of them must wait, whether or not the account exists. A client without failures for this address may try
 * while the address waits, so others' guesses lock nobody out.
 */
export async function beginGuess(db: Db, guess: SignInAttempt, at: Date): Promise<void> {
  const { pair, clients, address } = listAttemptSubjects(guess);
  for (const { subject, shares } of clients) {
    const patience = { ...ofClient, free: ofClient.free * shares };
    refuseUntil((await count(db, subject, patience, at)).blockedUntil, at);
  }
  const ofPair = await count(db, pair, ofPerson, at);
  refuseUntil(ofPair.blockedUntil, at);
  const ofAddress = await count(db, address, ofPerson, at);
  if (ofPair.failures > 1) refuseUntil(ofAddress.blockedUntil, at);
}

/** After the right password: clears the failures of the address, and takes one failure off the client. */
export async function endGuess(db: Db, guess: SignInAttempt): Promise<void> {
  const { pair, clients, address } = listAttemptSubjects(guess);
  await forget(db, pair);
  await forget(db, address);
  for (const { subject } of clients) {
    const hash = hashSecret(subject);
    await writePresented(db, [hash], (tx) => removeAttempt(tx, hash));
  }
}

function listAttemptSubjects({ email, client }: SignInAttempt) {
  const address = email.toLowerCase();
  const clients = listClientNetworks(client).map(({ network, shares }) => ({ subject: `client ${network}`, shares }));
  return { pair: `client ${client} for ${address}`, clients, address: `address ${address}` };
}

function count(db: Db, subject: string, patience: AttemptLimit, at: Date): Promise<AttemptCount> {
  const hash = hashSecret(subject);
  return writePresented(db, [hash], (tx) => countAttempt(tx, hash, patience, at));
}

async function forget(db: Db, subject: string): Promise<void> {
  const hash = hashSecret(subject);
  await writePresented(db, [hash], (tx) => forgetAttempts(tx, hash));
}

function refuseUntil(blockedUntil: Date | null, at: Date): void {
  if (!blockedUntil) return;
  const seconds = Math.max(1, Math.ceil((blockedUntil.getTime() - at.getTime()) / 1000));
  throw new AppError('rate_limited', `Too many attempts failed. Wait ${seconds} s and try again.`, {
    retry_after: seconds,
  });
}
