// The token and revocation endpoints.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { AccessToken, AuthorizationCode, Client, World } from '../accounts.ts';
import { accountOf } from '../accounts.ts';
import { GoogleError, oauthError } from '../errors.ts';
import type { Call, OpenRoute, Reply } from '../routing.ts';
import { grantKey } from './authorize.ts';
import { idToken } from './identity.ts';

/** Google keeps this many refresh tokens per account and client; the oldest dies silently. */
const refreshTokenLimit = 100;

function formOf(call: Call): URLSearchParams {
  const type = call.headers['content-type'] ?? '';
  const source = call.body.toString('utf8');
  if (type.includes('json')) {
    try {
      return new URLSearchParams(z.record(z.string(), z.string()).parse(JSON.parse(source)));
    } catch (cause) {
      const error = oauthError(400, 'invalid_request', 'Malformed JSON.');
      error.cause = cause;
      throw error;
    }
  }
  if (source !== '' && !type.includes('application/x-www-form-urlencoded')) {
    throw oauthError(400, 'invalid_request', 'Unsupported content type.');
  }
  return new URLSearchParams(source);
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw oauthError(400, 'invalid_request', `Missing required parameter: ${name}`);
  return value;
}

function sameSecret(given: string, kept: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(given), hash(kept));
}

function authenticatedClient(call: Call, form: URLSearchParams): Client {
  const basic = /^Basic (.+)$/i.exec(call.headers.authorization ?? '')?.[1];
  const [basicId = '', ...rest] = basic ? Buffer.from(basic, 'base64').toString().split(':') : [];
  const id = basic ? decodeURIComponent(basicId) : form.get('client_id');
  const secret = basic ? decodeURIComponent(rest.join(':')) : form.get('client_secret');
  if (!id) throw oauthError(400, 'invalid_request', 'Could not determine client ID from request.');
  const client = call.world.data.clients.get(id);
  if (!client) throw oauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (!secret) throw oauthError(400, 'invalid_request', 'client_secret is missing.');
  if (!sameSecret(secret, client.secret))
    throw oauthError(401, 'invalid_client', 'The provided client secret is invalid.');
  return client;
}

function newAccessToken(world: World, now: Date, from: Omit<AccessToken, 'token' | 'expiresAt'>): AccessToken {
  const token: AccessToken = {
    ...from,
    token: `ya29.a0A${randomBytes(60).toString('base64url')}`,
    expiresAt: now.getTime() + world.accessTokenSeconds * 1000,
  };
  world.data.accessTokens.set(token.token, token);
  return token;
}

function newRefreshToken(world: World, from: AuthorizationCode): string {
  const token = `1//0${randomBytes(48).toString('base64url')}`;
  const { refreshTokens } = world.data;
  const earlier = [...refreshTokens.values()].filter(
    (item) => item.email === from.email && item.clientId === from.clientId,
  );
  const oldest = earlier[0];
  if (earlier.length >= refreshTokenLimit && oldest) refreshTokens.delete(oldest.token);
  refreshTokens.set(token, {
    token,
    clientId: from.clientId,
    email: from.email,
    scopes: from.scopes,
    fromCode: from.code,
  });
  return token;
}

function checkVerifier(code: AuthorizationCode, verifier: string | null): void {
  if (!code.challenge) {
    if (verifier) throw oauthError(400, 'invalid_grant', 'code_verifier or verifier is not needed.');
    return;
  }
  if (!verifier) throw oauthError(400, 'invalid_grant', 'Missing code verifier.');
  const derived =
    code.challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (derived !== code.challenge.value) throw oauthError(400, 'invalid_grant', 'Invalid code verifier.');
}

function revokeCodeTokens(world: World, code: string): void {
  for (const tokens of [world.data.accessTokens, world.data.refreshTokens]) {
    for (const token of tokens.values()) if (token.fromCode === code) tokens.delete(token.token);
  }
}

function exchangeCode(call: Call, form: URLSearchParams, client: Client): Reply {
  const { world, now } = call;
  const code = world.data.codes.get(required(form, 'code'));
  const redirectUri = required(form, 'redirect_uri');
  if (!code) throw oauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (code.used) {
    // RFC 6749 4.1.2: a second use revokes what the first one got.
    revokeCodeTokens(world, code.code);
    throw oauthError(400, 'invalid_grant', 'Bad Request');
  }
  if (code.expiresAt <= now.getTime() || code.clientId !== client.id)
    throw oauthError(400, 'invalid_grant', 'Bad Request');
  if (code.redirectUri !== redirectUri) throw oauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  checkVerifier(code, form.get('code_verifier'));
  code.used = true;
  const { email, scopes } = code;
  const access = newAccessToken(world, now, { clientId: client.id, email, scopes, fromCode: code.code });
  const refreshToken = code.offline && code.forceRefreshToken ? newRefreshToken(world, code) : undefined;
  return tokenReply(call, access, { refreshToken, nonce: code.nonce });
}

function tokenReply(
  call: Call,
  access: AccessToken,
  extra: { refreshToken?: string | undefined; nonce?: string | undefined },
): Reply {
  const withIdentity = access.scopes.includes('openid');
  return {
    headers: { 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate', pragma: 'no-cache' },
    json: {
      access_token: access.token,
      expires_in: call.world.accessTokenSeconds - 1,
      ...(extra.refreshToken ? { refresh_token: extra.refreshToken } : {}),
      scope: access.scopes.join(' '),
      token_type: 'Bearer',
      ...(withIdentity ? { id_token: idToken(call, access, extra.nonce) } : {}),
    },
  };
}

function refresh(call: Call, form: URLSearchParams, client: Client): Reply {
  const kept = call.world.data.refreshTokens.get(required(form, 'refresh_token'));
  if (!kept) throw oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  if (kept.clientId !== client.id) throw oauthError(401, 'unauthorized_client', 'Unauthorized');
  const asked = form.get('scope')?.split(' ').filter(Boolean);
  if (asked?.some((scope) => !kept.scopes.includes(scope))) throw oauthError(400, 'invalid_scope', 'Bad Request');
  const { email, fromCode } = kept;
  const access = newAccessToken(call.world, call.now, {
    clientId: client.id,
    email,
    scopes: asked ?? kept.scopes,
    ...(fromCode ? { fromCode } : {}),
  });
  return tokenReply(call, access, {});
}

function issueToken(call: Call): Reply {
  const form = formOf(call);
  const grantType = required(form, 'grant_type');
  const client = authenticatedClient(call, form);
  if (grantType === 'authorization_code') return exchangeCode(call, form, client);
  if (grantType === 'refresh_token') return refresh(call, form, client);
  throw oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
}

/** Ends everything an account has granted to a client, as the account's security page does. */
export function revokeGrant(world: World, email: string, clientId: string): void {
  const { accessTokens, refreshTokens, grants } = world.data;
  grants.delete(grantKey(email, clientId));
  for (const tokens of [accessTokens, refreshTokens]) {
    for (const token of tokens.values()) {
      if (token.email === email && token.clientId === clientId) tokens.delete(token.token);
    }
  }
}

function revoke(call: Call): Reply {
  const given = call.url.searchParams.get('token') ?? formOf(call).get('token');
  if (!given) throw oauthError(400, 'invalid_request', 'Missing required parameter: token');
  const token = call.world.data.accessTokens.get(given) ?? call.world.data.refreshTokens.get(given);
  if (!token) throw oauthError(400, 'invalid_token', 'Token expired or revoked');
  revokeGrant(call.world, token.email, token.clientId);
  return { json: {} };
}

/** Tokens without a browser, for tests that are not about signing in. */
export function issueTokens(
  world: World,
  input: { email: string; clientId: string; scopes: string[] },
): { accessToken: string; refreshToken: string; expiresAt: Date } {
  const { email } = accountOf(world, input.email);
  const key = grantKey(email, input.clientId);
  world.data.grants.set(key, [...new Set([...(world.data.grants.get(key) ?? []), ...input.scopes])]);
  const access = newAccessToken(world, world.now(), { clientId: input.clientId, email, scopes: input.scopes });
  const token = `1//0${randomBytes(48).toString('base64url')}`;
  world.data.refreshTokens.set(token, { token, clientId: input.clientId, email, scopes: input.scopes });
  return { accessToken: access.token, refreshToken: token, expiresAt: new Date(access.expiresAt) };
}

/** The answer to a grant that died, for the failure of that name. */
export function deadGrant(): GoogleError {
  return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
}

const tokenPaths = ['/token', '/oauth2/v4/token', '/o/oauth2/token', '/oauth2/token'];
const revokePaths = ['/revoke', '/o/oauth2/revoke', '/oauth2/revoke'];

/** The routes a client uses. */
export const tokenRoutes: OpenRoute[] = [
  ...tokenPaths.map((path): OpenRoute => ({ method: 'POST', path, api: 'oauth', open: true, handle: issueToken })),
  ...revokePaths.map((path): OpenRoute => ({ method: 'POST', path, api: 'oauth', open: true, handle: revoke })),
];
