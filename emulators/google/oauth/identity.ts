// Who the person is: id tokens, user info, keys and the discovery document.
import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import type { AccessToken } from '../../kit/oauth/store.ts';
import { getGoogleAccount } from '../accounts.ts';
import type { Account } from '../accounts.ts';
import { createOauthError, createUnauthenticatedError } from '../errors.ts';
import { WireError } from '../../kit/wire.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute, Call, OpenRoute } from '../routing.ts';

// One key per process: making one takes a tenth of a second.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyId = createHash('sha1')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('hex');

const emailScope = 'https://www.googleapis.com/auth/userinfo.email';
const profileScope = 'https://www.googleapis.com/auth/userinfo.profile';

function buildProfileClaims(account: Account, scopes: readonly string[]) {
  const withProfile = scopes.includes(profileScope);
  return {
    sub: account.id,
    ...(withProfile
      ? { name: account.name, given_name: account.givenName, family_name: account.familyName, picture: account.picture }
      : {}),
    ...(scopes.includes(emailScope) ? { email: account.email, email_verified: true } : {}),
    ...(account.hostedDomain ? { hd: account.hostedDomain } : {}),
  };
}

/** A signed id token (RS256); its issuer is the emulator's own URL. */
export function createIdToken(call: Call, access: AccessToken, nonce?: string): string {
  const issued = Math.floor(call.now.getTime() / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: call.world.url,
    azp: access.clientId,
    aud: access.clientId,
    ...buildProfileClaims(getGoogleAccount(call.world, access.account), access.scopes),
    at_hash: createHash('sha256').update(access.token).digest().subarray(0, 16).toString('base64url'),
    ...(nonce ? { nonce } : {}),
    iat: issued,
    exp: issued + 3600,
  };
  const signed = `${encode({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
}

function buildCertificatesReply(): Reply {
  const jwk = publicKey.export({ format: 'jwk' });
  return {
    headers: { 'cache-control': 'public, max-age=19800' },
    json: { keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] },
  };
}

function buildDiscoveryReply(call: Call): Reply {
  const { url } = call.world;
  return {
    json: {
      issuer: url,
      authorization_endpoint: `${url}/o/oauth2/v2/auth`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/v1/userinfo`,
      revocation_endpoint: `${url}/revoke`,
      jwks_uri: `${url}/oauth2/v3/certs`,
      response_types_supported: [
        'code',
        'token',
        'id_token',
        'code token',
        'code id_token',
        'token id_token',
        'code token id_token',
        'none',
      ],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: [
        'aud',
        'email',
        'email_verified',
        'exp',
        'family_name',
        'given_name',
        'iat',
        'iss',
        'name',
        'picture',
        'sub',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    },
  };
}

function buildUserInfoReply(call: ApiCall): Reply {
  return { json: buildProfileClaims(call.caller.account, call.caller.scopes) };
}

/** The older answer says `id` and `verified_email`; `sub` is missing there, as at Google. */
function buildUserInfo2Reply(call: ApiCall): Reply {
  const { sub, email_verified: verified, ...rest } = buildProfileClaims(call.caller.account, call.caller.scopes);
  return { json: { id: sub, ...rest, ...(verified ? { verified_email: true } : {}) } };
}

function buildTokenInfoReply(call: Call): Reply {
  const token = call.world.data.accessTokens.get(call.url.searchParams.get('access_token') ?? '');
  if (!token || (token.expiresAt ?? 0) <= call.now.getTime())
    throw createOauthError(400, 'invalid_token', 'Invalid Value');
  const { id, email } = getGoogleAccount(call.world, token.account);
  const seconds = Math.floor(((token.expiresAt ?? 0) - call.now.getTime()) / 1000);
  return {
    json: {
      azp: token.clientId,
      aud: token.clientId,
      sub: id,
      scope: token.scopes.join(' '),
      exp: String(Math.floor((token.expiresAt ?? 0) / 1000)),
      expires_in: String(seconds),
      ...(token.scopes.includes(emailScope) ? { email, email_verified: 'true' } : {}),
      access_type: 'offline',
    },
  };
}

const identityScopes = ['openid', emailScope, profileScope];

/** The routes about identity. */
export const identityRoutes: (ApiRoute | OpenRoute)[] = [
  { method: 'GET', path: '/.well-known/openid-configuration', api: 'oauth', open: true, handle: buildDiscoveryReply },
  { method: 'GET', path: '/oauth2/v3/certs', api: 'oauth', open: true, handle: buildCertificatesReply },
  { method: 'GET', path: '/tokeninfo', api: 'oauth', open: true, handle: buildTokenInfoReply },
  { method: 'GET', path: '/v1/userinfo', api: 'oauth', scopes: identityScopes, handle: buildUserInfoReply },
  { method: 'GET', path: '/oauth2/v3/userinfo', api: 'oauth', scopes: identityScopes, handle: buildUserInfoReply },
  { method: 'GET', path: '/oauth2/v2/userinfo', api: 'oauth', scopes: identityScopes, handle: buildUserInfo2Reply },
];

/** 401 of the user info endpoints, whose body differs from the other APIs'. */
export function createUserInfoError(): WireError {
  const { headers } = createUnauthenticatedError('invalid');
  return new WireError(
    401,
    'invalid_request',
    { error: 'invalid_request', error_description: 'Invalid Credentials' },
    headers,
  );
}
