// The token endpoint most providers have (RFC 6749 5.1), and the words of its errors (5.2).
import { WireError } from '../wire.ts';
import type { IncomingRequest, Reply } from '../wire.ts';
import type { Flow, IssuedTokens, TokenErrorCode } from './flow.ts';

const words: Record<TokenErrorCode, [status: number, error: string, description: string]> = {
  missing_parameter: [400, 'invalid_request', 'A parameter is missing'],
  unknown_client: [401, 'invalid_client', 'Client authentication failed'],
  missing_secret: [401, 'invalid_client', 'Client authentication failed'],
  bad_secret: [401, 'invalid_client', 'Client authentication failed'],
  bad_code: [400, 'invalid_grant', 'The code is invalid or has expired'],
  redirect_mismatch: [400, 'invalid_grant', 'The redirect_uri does not match'],
  bad_verifier: [400, 'invalid_grant', 'The code_verifier does not match'],
  bad_refresh_token: [400, 'invalid_grant', 'The refresh token is invalid'],
  bad_scope: [400, 'invalid_scope', 'The scope goes beyond what was granted'],
  unsupported_grant_type: [400, 'unsupported_grant_type', 'The grant type is not supported'],
};

/** The refusal of RFC 6749 5.2. */
export function createStandardError(code: TokenErrorCode, detail: string): WireError {
  const [status, error, description] = words[code];
  const body = { error, error_description: detail ? `${description}: ${detail}` : description };
  return new WireError(status, error, body);
}

/** The body as a form; another content type is refused. */
export function readForm(incoming: IncomingRequest): URLSearchParams {
  const type = incoming.headers['content-type'] ?? '';
  if (!type.includes('x-www-form-urlencoded'))
    throw createStandardError('missing_parameter', 'the body has to be a form');
  return new URLSearchParams(incoming.body.toString('utf8'));
}

/** Exchanges a code or a refresh token. */
export function exchangeToken(flow: Flow, incoming: IncomingRequest, form: URLSearchParams): IssuedTokens {
  const grantType = form.get('grant_type');
  const client = flow.authenticate(incoming.headers, form);
  if (grantType === 'authorization_code') return flow.redeemCode(form, client);
  if (grantType === 'refresh_token') return flow.redeemRefreshToken(form, client);
  throw createStandardError(grantType ? 'unsupported_grant_type' : 'missing_parameter', grantType ?? 'grant_type');
}

/** The answer of RFC 6749 5.1. */
export function buildStandardTokenReply(
  { access, refresh }: IssuedTokens,
  now: Date,
  more: Record<string, unknown> = {},
): Reply {
  return {
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    json: {
      access_token: access.token,
      token_type: 'Bearer',
      ...(access.expiresAt === undefined ? {} : { expires_in: Math.floor((access.expiresAt - now.getTime()) / 1000) }),
      scope: access.scopes.join(' '),
      ...(refresh ? { refresh_token: refresh.token } : {}),
      ...more,
    },
  };
}
