// Attempts to sign in are slowed for each address, each identity and each client, by rows that all processes share.
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

/** An account that is tried. */
export type Subject = `identity ${string}`;

/** A password that a client tries for an address. */
export type SignInAttempt = { email: string; client: string };

const ofPerson: AttemptLimit = { free: 5, firstWaitSeconds: 15, longestWaitSeconds: 900, forgottenAfterMinutes: 60 };
/** Many people may share an address of the network. */
const ofClient: AttemptLimit = { ...ofPerson, free: 50 };

/**
 * Counts an attempt before it is made. Throws `rate_limited` when the account has to wait.
 */
export async function beginAttempt(db: Db, subject: Subject, at: Date): Promise<void> {
  refuseUntil((await count(db, subject, ofPerson, at)).blockedUntil, at);
}

/** Deletes the failures of an account after a successful sign-in. */
export async function endAttempt(db: Db, subject: Subject): Promise<void> {
  await forget(db, subject);
}

/**
 * Counts a guess before it is checked, for the client, for the address, and for both together. Throws `rate_limited` when one
 * of them has to wait, whether or not the account exists. A client that has not failed for this address is let through
 * while the address waits: others' guesses keep nobody out.
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

/** After the right password: the failures for the address end, and the client has one less. */
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
