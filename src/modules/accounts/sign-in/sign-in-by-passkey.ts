import { runAsSystem, readPresented, writePresented } from '#platform/database';
import { generateSecret } from '#platform/one-time-secrets';
import { enter } from './enter.ts';
import { openSession, type NewSession } from '../sessions/open-session.ts';
import {
  createPasskeyRefusedError,
  hashPasskeyId,
  requestOptions,
  useChallenge,
  verifyRequest,
  type RequestResponse,
} from './passkeys.ts';
import { hashIdentity } from '../identity-hashes.ts';
import { buildEnterDeps, type SignInOptions, type SignInVisit } from './sign-in-ways.ts';
import { changeAuthenticator, findByLookup, raiseCounter, type AuthenticatorRow } from '../store/authenticators.ts';
import { findFirstWorkspaceId } from '../store/workspaces.ts';

/** The request for the browser's passkeys, and the cookie that identifies the browser. */
export type PasskeyRequest = { options: Record<string, unknown>; browser: string };

async function readPasskeyHomeId({ db }: SignInOptions): Promise<string> {
  const home = await runAsSystem(db, findFirstWorkspaceId);
  if (!home) throw createPasskeyRefusedError();
  return home;
}

/** Begins to sign in by a passkey. The answer is the same for everybody. */
export async function beginPasskey(options: SignInOptions): Promise<PasskeyRequest> {
  const { transactions, publicUrl, now, newId } = options;
  const [workspaceId, browser] = [await readPasskeyHomeId(options), generateSecret()];
  const asked = await transactions.run(workspaceId, 'write', (bound) =>
    requestOptions(bound, { id: newId(), workspaceId, boundTo: browser, at: now() }, publicUrl),
  );
  return { options: { ...asked }, browser };
}

/**
 * The passkey that signed the challenge of this browser. Throws the same error for an unknown passkey and for a wrong
 * one.
 */
export async function verifyPasskey(
  options: SignInOptions,
  given: { response: RequestResponse; browser: string },
): Promise<AuthenticatorRow> {
  const { db, transactions, publicUrl, now } = options;
  const { response, browser: boundTo } = given;
  const challenge = await transactions.run(await readPasskeyHomeId(options), 'write', (bound) =>
    useChallenge(bound, { response, purpose: 'passkey_sign_in', boundTo, at: now() }),
  );
  const hash = hashPasskeyId(response.id);
  const passkey = await readPresented(db, hash, (tx) => findByLookup(tx, hash));
  if (passkey?.kind !== 'passkey') throw createPasskeyRefusedError();
  const counter = await verifyRequest(response, challenge, passkey, publicUrl);
  await writePresented(db, [hashIdentity(passkey.identity_id)], async (tx) => {
    // Passkeys that are shared between devices do not count (WebAuthn §6.1.1): their counter stays zero.
    const isNew = counter === 0 || (await raiseCounter(tx, passkey.id, counter, now()));
    if (!isNew) throw createPasskeyRefusedError();
    await changeAuthenticator(tx, passkey.id, { last_used_at: now() });
  });
  return passkey;
}

/** Signs in by a passkey, which needs the device and a finger or PIN, so no further code is required. */
export async function signInWithPasskey(
  options: SignInOptions,
  given: { response: RequestResponse; browser: string },
  visit: SignInVisit,
): Promise<NewSession> {
  const { identity_id: identityId } = await verifyPasskey(options, given);
  const session = await writePresented(options.db, [hashIdentity(identityId)], async (tx) => {
    const entering = buildEnterDeps(options);
    const entered = await enter(tx, identityId, visit.workspaceId, entering);
    if (!entered) return null;
    const opening = { ...entered, id: options.newId(), method: 'passkey' as const, isHumanSurface: true };
    return openSession(tx, { ...opening, userAgent: visit.userAgent, at: entering.at });
  });
  if (!session) throw createPasskeyRefusedError();
  return session;
}
