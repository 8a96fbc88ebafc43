// The token and revocation endpoints.
import { z } from 'zod';
import {
  parseClientCredentials,
  findVerifierError,
  grantKey,
  createRandomText,
  revokeFamily,
  revokeGrant,
  isSameSecret,
} from '../../kit/oauth/store.ts';
import type { AccessToken, Client } from '../../kit/oauth/store.ts';
import type { GoogleCode, World } from '../accounts.ts';
import { getGoogleAccount } from '../accounts.ts';
import { createOauthError } from '../errors.ts';
import type { Reply, WireError } from '../../kit/wire.ts';
import type { Call, OpenRoute } from '../routing.ts';
import { createIdToken } from './identity.ts';

/** Google keeps this many refresh tokens per account and client; the oldest dies silently. */
const refreshTokenLimit = 100;

function parseForm(call: Call): URLSearchParams {
  const type = call.headers['content-type'] ?? '';
  const source = call.body.toString('utf8');
  if (type.includes('json')) {
    try {
      return new URLSearchParams(z.record(z.string(), z.string()).parse(JSON.parse(source)));
    } catch (cause) {
      const error = createOauthError(400, 'invalid_request', 'Malformed JSON.');
      error.cause = cause;
      throw error;
    }
  }
  if (source !== '' && !type.includes('application/x-www-form-urlencoded')) {
    throw createOauthError(400, 'invalid_request', 'Unsupported content type.');
  }
  return new URLSearchParams(source);
}

function requireField(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw createOauthError(400, 'invalid_request', `Missing required parameter: ${name}`);
  return value;
}

function authenticateClient(call: Call, form: URLSearchParams): Client {
  const { id, secret } = parseClientCredentials(call.headers, form);
  if (!id) throw createOauthError(400, 'invalid_request', 'Could not determine client ID from request.');
  const client = call.world.data.clients.get(id);
  if (!client) throw createOauthError(401, 'invalid_client', 'The OAuth client was not found.');
  if (!secret) throw createOauthError(400, 'invalid_request', 'client_secret is missing.');
  if (!isSameSecret(secret, client.secret))
    throw createOauthError(401, 'invalid_client', 'The provided client secret is invalid.');
  return client;
}

function createAccessToken(world: World, now: Date, from: Omit<AccessToken, 'token' | 'expiresAt'>): AccessToken {
  const token: AccessToken = {
    ...from,
    token: `ya29.a0A${createRandomText(60)}`,
    expiresAt: now.getTime() + world.accessTokenSeconds * 1000,
  };
  world.data.accessTokens.set(token.token, token);
  return token;
}

function createRefreshToken(world: World, from: GoogleCode): string {
  const token = `1//0${createRandomText(48)}`;
  const { refreshTokens } = world.data;
  const earlier = [...refreshTokens.values()].filter(
    (item) => item.account === from.account && item.clientId === from.clientId,
  );
  const oldest = earlier[0];
  if (earlier.length >= refreshTokenLimit && oldest) refreshTokens.delete(oldest.token);
  refreshTokens.set(token, {
    token,
    clientId: from.clientId,
    account: from.account,
    scopes: from.scopes,
    family: from.code,
  });
  return token;
}

const verifierErrors = {
  needless: 'code_verifier or verifier is not needed.',
  missing: 'Missing code verifier.',
  wrong: 'Invalid code verifier.',
};

function exchangeCode(call: Call, form: URLSearchParams, client: Client): Reply {
  const { world, now } = call;
  const code = world.data.codes.get(requireField(form, 'code'));
  const redirectUri = requireField(form, 'redirect_uri');
  if (!code) throw createOauthError(400, 'invalid_grant', 'Malformed auth code.');
  if (code.used) {
    // RFC 6749 4.1.2: a second use revokes what the first one got.
    revokeFamily(world.data, code.code);
    throw createOauthError(400, 'invalid_grant', 'Bad Request');
  }
  if (code.expiresAt <= now.getTime() || code.clientId !== client.id)
    throw createOauthError(400, 'invalid_grant', 'Bad Request');
  if (code.redirectUri !== redirectUri) throw createOauthError(400, 'redirect_uri_mismatch', 'Bad Request');
  const wrong = findVerifierError(code.challenge, form.get('code_verifier'));
  if (wrong) throw createOauthError(400, 'invalid_grant', verifierErrors[wrong]);
  code.used = true;
  const { account, scopes } = code;
  const access = createAccessToken(world, now, { clientId: client.id, account, scopes, family: code.code });
  const refreshToken = code.offline && code.forceRefreshToken ? createRefreshToken(world, code) : undefined;
  return buildTokenReply(call, access, { refreshToken, nonce: code.nonce });
}

function buildTokenReply(
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
      ...(withIdentity ? { id_token: createIdToken(call, access, extra.nonce) } : {}),
    },
  };
}

function refresh(call: Call, form: URLSearchParams, client: Client): Reply {
  const kept = call.world.data.refreshTokens.get(requireField(form, 'refresh_token'));
  if (!kept) throw createOauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
  if (kept.clientId !== client.id) throw createOauthError(401, 'unauthorized_client', 'Unauthorized');
  const asked = form.get('scope')?.split(' ').filter(Boolean);
  if (asked?.some((scope) => !kept.scopes.includes(scope))) throw createOauthError(400, 'invalid_scope', 'Bad Request');
  const { account, family } = kept;
  const access = createAccessToken(call.world, call.now, {
    clientId: client.id,
    account,
    scopes: asked ?? kept.scopes,
    ...(family ? { family } : {}),
  });
  return buildTokenReply(call, access, {});
}

function issueToken(call: Call): Reply {
  const form = parseForm(call);
  const grantType = requireField(form, 'grant_type');
  const client = authenticateClient(call, form);
  if (grantType === 'authorization_code') return exchangeCode(call, form, client);
  if (grantType === 'refresh_token') return refresh(call, form, client);
  throw createOauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
}

function revoke(call: Call): Reply {
  const given = call.url.searchParams.get('token') ?? parseForm(call).get('token');
  if (!given) throw createOauthError(400, 'invalid_request', 'Missing required parameter: token');
  const token = call.world.data.accessTokens.get(given) ?? call.world.data.refreshTokens.get(given);
  if (!token) throw createOauthError(400, 'invalid_token', 'Token expired or revoked');
  revokeGrant(call.world.data, token.account, token.clientId);
  return { json: {} };
}

/** Tokens without a browser, for tests that are not about signing in. */
export function issueTokens(
  world: World,
  input: { email: string; clientId: string; scopes: string[] },
): { accessToken: string; refreshToken: string; expiresAt: Date } {
  const { email } = getGoogleAccount(world, input.email);
  const key = grantKey(email, input.clientId);
  world.data.grants.set(key, [...new Set([...(world.data.grants.get(key) ?? []), ...input.scopes])]);
  const access = createAccessToken(world, world.now(), {
    clientId: input.clientId,
    account: email,
    scopes: input.scopes,
  });
  const token = `1//0${createRandomText(48)}`;
  world.data.refreshTokens.set(token, { token, clientId: input.clientId, account: email, scopes: input.scopes });
  return { accessToken: access.token, refreshToken: token, expiresAt: new Date(access.expiresAt ?? 0) };
}

/** The answer to a grant that died, for the failure of that name. */
export function createDeadGrantError(): WireError {
  return createOauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
}

const tokenPaths = ['/token', '/oauth2/v4/token', '/o/oauth2/token', '/oauth2/token'];
const revokePaths = ['/revoke', '/o/oauth2/revoke', '/oauth2/revoke'];

/** The routes a client uses. */
export const tokenRoutes: OpenRoute[] = [
  ...tokenPaths.map((path): OpenRoute => ({ method: 'POST', path, api: 'oauth', open: true, handle: issueToken })),
  ...revokePaths.map((path): OpenRoute => ({ method: 'POST', path, api: 'oauth', open: true, handle: revoke })),
];
