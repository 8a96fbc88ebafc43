import { queryOptions } from '@tanstack/react-query';
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { Input, Output } from '#sdk';
import { call, post } from '../../api/call.ts';
import { keepSessionProof } from '../../api/session-proof.ts';

/** The result of signing in: signed in, or a one-time code is required. */
export type Admission = { ok: true } | { ok: false; second_factor: true };

/**
 * Posts the data of a sign-in. The answer sets the session's cookie, and contains its proof, which only this origin
 * keeps.
 */
async function enter(path: string, given: object): Promise<Admission> {
  const admission = await post<Admission & { session_proof?: string }>(path, given);
  if (admission.session_proof !== undefined) keepSessionProof(admission.session_proof);
  return admission;
}

/** Who a one-time link signs in, and where; null parts are not known yet. */
export type LinkPreview = {
  name: string | null;
  email: string;
  workspace: string | null;
  /** Somebody else, or the same person elsewhere, whose session in this browser ends. */
  ends_session_of: string | null;
  /** Whether it is an invitation that anybody who opens it can accept. */
  joins: boolean;
  /** The person who is signed in in this browser and may join with it. */
  may_join_as: string | null;
};

/** Reads a one-time link without using it up. */
export function linkPreviewQuery(token: string) {
  return queryOptions({
    queryKey: ['sign-in-link', token],
    queryFn: ({ signal }) => post<LinkPreview>('/auth/sign-in/preview', { token }, { signal }),
    retry: false,
    gcTime: 0,
  });
}

/** Uses up a one-time link. */
export function signInByLink(token: string): Promise<Admission> {
  return enter('/auth/sign-in', { token });
}

/** Joins with a passed-on invitation, as the person who is signed in in this browser. */
export function joinByLink(token: string): Promise<Admission> {
  return enter('/auth/sign-in', { token, as_signed_in: true });
}

/** Finishes a sign-in at a provider, which returned this browser with a code for the session's proof. */
export async function finishSignIn(code: string): Promise<Admission> {
  const { session_proof } = await post<{ session_proof: string }>('/auth/session-proof', { code });
  keepSessionProof(session_proof);
  return { ok: true };
}

type WorkspaceTarget = { workspace?: string | undefined };

export function signInByPassword(given: { email: string; password: string } & WorkspaceTarget): Promise<Admission> {
  return enter('/auth/password', given);
}

export function submitCode(code: string): Promise<Admission> {
  return enter('/auth/second-factor', { code });
}

/** Whether this browser supports passkeys. */
export const knowsPasskeys = browserSupportsWebAuthn();

type WebAuthnOptions<Of extends (given: never) => unknown> = Parameters<Of>[0] extends { optionsJSON: infer Options }
  ? Options
  : never;

async function askPasskey() {
  const { options } = await post<{ options: WebAuthnOptions<typeof startAuthentication> }>('/auth/passkey/options', {});
  return startAuthentication({ optionsJSON: options });
}

export async function signInByPasskey(place: WorkspaceTarget): Promise<Admission> {
  return enter('/auth/passkey', { response: await askPasskey(), ...place });
}

export type Authenticator = Output<'list_authenticators'>['authenticators'][number];

/** The person's sign-in methods. */
export const authenticatorsQuery = queryOptions({
  queryKey: ['accounts', 'authenticators'],
  queryFn: ({ signal }) => call('list_authenticators', {}, { signal }),
});

/** Creates a passkey in this browser, and adds it. */
export async function addPasskey(name: string): Promise<unknown> {
  const { options } = await call('begin_passkey');
  // The server created the options for exactly this.
  const made = await startRegistration({
    optionsJSON: options as unknown as WebAuthnOptions<typeof startRegistration>,
  });
  const { clientExtensionResults, response } = made;
  // Spread, so that each has the plain type of the operation's schema.
  const answer = { ...made, clientExtensionResults: { ...clientExtensionResults }, response: { ...response } };
  return call('add_passkey', { name, response: answer });
}

/** Changes the name of the signed-in person, or the address by which the workspace knows them. */
export function updateProfile(change: Input<'update_profile'>): Promise<unknown> {
  return call('update_profile', change);
}

/** Mails a link that proves the address. */
export function addAddress(email: string): Promise<Output<'add_address'>> {
  return call('add_address', { email });
}

export function confirmAddress(proof: Input<'confirm_address'>): Promise<unknown> {
  return call('confirm_address', proof);
}

export function removeAddress(email: string): Promise<unknown> {
  return call('remove_address', { email });
}

export function setPassword(password: string): Promise<unknown> {
  return call('set_password', { password });
}

export function beginTotp(): Promise<Output<'begin_totp'>> {
  return call('begin_totp');
}

export function addTotp(code: string): Promise<Output<'add_totp'>> {
  return call('add_totp', { code });
}

export function removeAuthenticator(id: string): Promise<unknown> {
  return call('remove_authenticator', { authenticator_id: id });
}

export type Proof = { password: string } | { code: string } | 'passkey';

/** Confirms who is at the console. */
export async function prove(proof: Proof): Promise<unknown> {
  return post('/auth/prove', proof === 'passkey' ? { response: await askPasskey() } : proof);
}
