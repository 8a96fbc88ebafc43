// The state of an authorization server, and the common checks.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A registered OAuth client. */
export type Client = { id: string; secret: string; name: string; redirectUris: (string | RegExp)[] };

/** What registers a client; id and secret are made when not given. */
export type ClientInput = Partial<Client> & { redirectUris: (string | RegExp)[] };

/** A PKCE challenge (RFC 7636). */
export type Challenge = { method: 'S256' | 'plain'; value: string };

/** An authorization code that was handed out; kept after use, so that a second use can be seen. */
export type AuthorizationCode = {
  code: string;
  clientId: string;
  /** The account that granted it. */
  account: string;
  redirectUri: string;
  scopes: string[];
  challenge?: Challenge;
  expiresAt: number;
  used: boolean;
};

/** An access token. Tokens that come from one code are a family. */
export type AccessToken = {
  token: string;
  clientId: string;
  account: string;
  scopes: string[];
  /** Absent for tokens that do not expire. */
  expiresAt?: number;
  family?: string;
};

/** A refresh token. `usedAt` is set once it was exchanged for a newer one. */
export type RefreshToken = {
  token: string;
  clientId: string;
  account: string;
  scopes: string[];
  family?: string;
  usedAt?: number;
};

/** All state of an authorization server. */
export type OAuthData<Code extends AuthorizationCode = AuthorizationCode> = {
  clients: Map<string, Client>;
  codes: Map<string, Code>;
  accessTokens: Map<string, AccessToken>;
  refreshTokens: Map<string, RefreshToken>;
  /** `account client` to the scopes the person has granted so far. */
  grants: Map<string, string[]>;
};

/** No client, no token. */
export function createOAuthData<Code extends AuthorizationCode>(): OAuthData<Code> {
  return {
    clients: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    grants: new Map(),
  };
}

/** Redirect URIs on the loopback, which the first client of every emulator has. */
export const loopback = /^https?:\/\/((?:[\w-]+\.)?localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//;

/** Registers a client; `fresh` makes an id and a secret as the provider writes them. */
export function addClient(data: OAuthData, input: ClientInput, fresh: () => { id: string; secret: string }): Client {
  const made = fresh();
  const client: Client = {
    id: input.id ?? made.id,
    secret: input.secret ?? made.secret,
    name: input.name ?? 'Test application',
    redirectUris: input.redirectUris,
  };
  data.clients.set(client.id, client);
  return client;
}

/** Random text for tokens and ids. */
export function createRandomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Whether a client may be answered at this address. */
export function isRegistered(client: Client, redirectUri: string): boolean {
  return client.redirectUris.some((item) => (typeof item === 'string' ? item === redirectUri : item.test(redirectUri)));
}

/** The client's name and password, from HTTP Basic (which wins) or from the form. */
export function parseClientCredentials(
  headers: IncomingHttpHeaders,
  form: URLSearchParams,
): { id: string | undefined; secret: string | undefined; basic: boolean } {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (!basic) {
    return { id: form.get('client_id') ?? undefined, secret: form.get('client_secret') ?? undefined, basic: false };
  }
  const [id = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':');
  return { id: decodeURIComponent(id), secret: decodeURIComponent(rest.join(':')), basic: true };
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, kept: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(given), hash(kept));
}

/** The error of the code challenge in an authorization request. */
export function findChallengeError(query: URLSearchParams): string | undefined {
  const method = query.get('code_challenge_method') ?? '';
  const value = query.get('code_challenge') ?? '';
  if (!['', 'plain', 'S256'].includes(method)) return 'Invalid code_challenge_method';
  if (method && !value) return 'Missing code_challenge';
  return value && !/^[A-Za-z0-9._~-]{43,128}$/.test(value) ? 'Invalid code_challenge' : undefined;
}

/** The challenge of an authorization request that was found to be right. */
export function parseChallenge(query: URLSearchParams): Challenge | undefined {
  const value = query.get('code_challenge');
  return value ? { method: query.get('code_challenge_method') === 'S256' ? 'S256' : 'plain', value } : undefined;
}

/** How a verifier fails its challenge. */
export function findVerifierError(
  challenge: Challenge | undefined,
  verifier: string | null,
): 'missing' | 'needless' | 'wrong' | undefined {
  if (!challenge) return verifier ? 'needless' : undefined;
  if (!verifier) return 'missing';
  const derived = challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return derived === challenge.value ? undefined : 'wrong';
}

/** The key of what a person has granted to a client. */
export function grantKey(account: string, clientId: string): string {
  return `${account} ${clientId}`;
}

function deleteTokens(data: OAuthData, gone: (token: AccessToken | RefreshToken) => boolean): void {
  for (const tokens of [data.accessTokens, data.refreshTokens]) {
    for (const token of tokens.values()) if (gone(token)) tokens.delete(token.token);
  }
}

/** Ends all tokens that came from one code. */
export function revokeFamily(data: OAuthData, family: string): void {
  deleteTokens(data, (token) => token.family === family);
}

/** Ends everything an account has granted to a client. */
export function revokeGrant(data: OAuthData, account: string, clientId: string): void {
  data.grants.delete(grantKey(account, clientId));
  deleteTokens(data, (token) => token.account === account && token.clientId === clientId);
}
