// Passkeys (WebAuthn level 3). A challenge is a one-time secret, so that each answer is valid once and in one browser.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { hashSecret, issueSecret, useSecret } from '#platform/one-time-secrets';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { hashIdentity } from '../identity-hashes.ts';
import type { AuthenticatorRow } from '../store/authenticators.ts';

const challengeLivesMs = 5 * 60 * 1000;

/** The purpose of a challenge. */
export type ChallengePurpose = 'passkey_creation' | 'passkey_sign_in';

const text = z.string().max(4_000);
const common = {
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(text, z.unknown()),
};
const attachment = z.string().max(40).nullish().describe('Null: the browser does not know it.');

/** The result of `navigator.credentials.create`, as JSON. */
export const creationResponse = z.strictObject({
  ...common,
  authenticatorAttachment: attachment,
  response: z.strictObject({
    clientDataJSON: text,
    attestationObject: z.string().max(8_000),
    authenticatorData: text.optional(),
    publicKey: text.nullish().describe('Null: the browser does not know it.'),
    publicKeyAlgorithm: z.number().optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
/** The result of `navigator.credentials.get`, as JSON. */
export const requestResponse = z.object({
  ...common,
  authenticatorAttachment: attachment,
  response: z.looseObject({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});
export type CreationResponse = z.output<typeof creationResponse>;
export type RequestResponse = z.output<typeof requestResponse>;

/** The stored data of a passkey. */
type PasskeyData = { publicKey: string; counter: number; transports: string[] };
export type NewPasskey = { lookupHash: string; data: PasskeyData };

/** The hash by which a passkey is found. */
export function hashPasskeyId(credentialId: string): string {
  return hashSecret(`passkey ${credentialId}`);
}

/** Passkeys belong to the host of the public address, and work only on its pages. */
function getRelyingParty(publicUrl: string): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

type Challenge = { purpose: ChallengePurpose; id: string; workspaceId: string; boundTo: string; at: Date };

async function createChallenge(
  db: Db,
  { id: subjectId, at, ...challenge }: Challenge,
): Promise<Uint8Array<ArrayBuffer>> {
  const expiresAt = new Date(at.getTime() + challengeLivesMs);
  const secret = await issueSecret(db, { ...challenge, prefix: 'pc', subjectId, at, expiresAt });
  return new Uint8Array(Buffer.from(secret));
}

/** The options that the browser needs to create a passkey. */
export async function buildPasskeyCreationOptions(
  db: Db,
  challenge: Omit<Challenge, 'purpose'>,
  person: { identityId: string; email: string; name: string },
  publicUrl: string,
) {
  return generateRegistrationOptions({
    rpName: 'Thalamus',
    rpID: getRelyingParty(publicUrl).rpID,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(hashIdentity(person.identityId), 'hex')),
    challenge: await createChallenge(db, { ...challenge, purpose: 'passkey_creation' }),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * The options that the browser needs to sign in with a passkey: any passkey for this server, so that the answer does
 * not reveal which exist.
 */
export async function requestOptions(db: Db, challenge: Omit<Challenge, 'purpose'>, publicUrl: string) {
  return generateAuthenticationOptions({
    rpID: getRelyingParty(publicUrl).rpID,
    userVerification: 'required',
    challenge: await createChallenge(db, { ...challenge, purpose: 'passkey_sign_in' }),
  });
}

/** Uses up the challenge of an answer. Throws when it was used, has expired, or belongs to another browser. */
export async function useChallenge(
  db: Db,
  { response, purpose, boundTo, at }: Pick<Challenge, 'purpose' | 'boundTo' | 'at'> & { response: Answer },
): Promise<string> {
  const challenge = readChallenge(response);
  const secret = Buffer.from(challenge, 'base64url').toString();
  if (!(await useSecret(db, purpose, { secret, boundTo, at }))) throw createPasskeyRefusedError();
  return challenge;
}

type Answer = { response: { clientDataJSON: string } };

function readChallenge({ response }: Answer): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    const { challenge } = z.object({ challenge: z.string().max(500) }).parse(data);
    return challenge;
  } catch {
    throw createPasskeyRefusedError();
  }
}

/** The passkey that a browser created. Throws when the answer is for another challenge, page or server. */
export async function verifyCreation(
  answer: CreationResponse,
  expectedChallenge: string,
  publicUrl: string,
): Promise<NewPasskey> {
  const { rpID, origin } = getRelyingParty(publicUrl);
  const response = answer as RegistrationResponseJSON; // parsed by its schema
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch(() => null);
  if (!verified?.verified) throw createPasskeyRefusedError();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const data = { publicKey: Buffer.from(publicKey).toString('base64'), counter, transports: getTransports(answer) };
  return { lookupHash: hashPasskeyId(id), data };
}

function getTransports({ response }: CreationResponse): string[] {
  return response.transports ?? [];
}

/** The counter of a passkey that signed a challenge. Throws when it did not, or not for this server. */
export async function verifyRequest(
  answer: RequestResponse,
  expectedChallenge: string,
  authenticator: AuthenticatorRow,
  publicUrl: string,
): Promise<number> {
  const { rpID, origin } = getRelyingParty(publicUrl);
  const { publicKey, counter } = authenticator.data as PasskeyData; // in the stored form
  const verified = await verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON, // parsed by its schema
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: answer.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')), counter },
  }).catch(() => null);
  if (!verified?.verified) throw createPasskeyRefusedError();
  return verified.authenticationInfo.newCounter;
}

export function createPasskeyRefusedError(): AppError {
  return new AppError('unauthenticated', 'This passkey was not accepted. Try again, or sign in another way.');
}
