import { trimLetters } from '#kernel/trim-end';
import { AppError } from '#kernel/errors';
import { EgressError, redactSecrets, type Egress } from '#platform/egress';
import * as oauth from 'oauth4webapi';
import { applyBaseUrl } from '#kernel/provider-access';
import type { OAuthFacts, Provider } from '#kernel/provider';
import { encodeBasicCredentials } from './request-facts.ts';
import { normalizeTokenAnswer } from './token-answer.ts';

/** An OAuth client at a provider. `baseUrl` replaces the provider's hosts. */
export type OAuthClient = {
  provider: Provider;
  oauth: OAuthFacts;
  baseUrl: string | null;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  redirectUri: string;
};

/** The answer of a token endpoint. Absent fields are null. */
export type Tokens = {
  accessToken: string;
  /** Null: the access token does not expire. */
  expiresInSeconds: number | null;
  refreshToken: string | null;
  /** When the grant itself expires. */
  grantEndsInSeconds: number | null;
  /** Null: the answer names no scopes, so they are unchanged. */
  scopes: string[] | null;
};

/** The provider says that the grant is no longer valid: the person has to link the account again. */
export class InvalidGrant extends Error {}

const longestRequestMs = 20_000;
/** RFC 6749 §5.1: `expires_in` is only recommended; this lifetime is assumed without it when a refresh is possible. */
const assumedLifetimeSeconds = 600;

/** The address of the consent page, with state and, where the provider knows it, PKCE (RFC 7636). */
export async function buildAuthorizationUrl(
  client: OAuthClient,
  request: { scopes: readonly string[]; state: string; codeVerifier: string },
): Promise<string> {
  const { oauth: facts, baseUrl } = client;
  const url = new URL(applyBaseUrl(facts.authorizeUrl, baseUrl));
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    ...(request.scopes.length && { [facts.scopes.parameter]: request.scopes.join(facts.scopes.separator) }),
    state: request.state,
    ...(facts.usesPkce && {
      code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    }),
    ...facts.authorizeParams,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code of a callback for tokens. */
export async function exchangeCode(
  egress: Egress,
  client: OAuthClient,
  callback: { code: string; state: string; codeVerifier: string },
): Promise<Tokens> {
  const { code, state, codeVerifier } = callback;
  const secrets = [code, codeVerifier];
  const { server, self, authentication, options } = buildOAuthParts(egress, client, secrets);
  const parameters = oauth.validateAuthResponse(server, self, new URLSearchParams({ code, state }), state);
  return withTokenErrors(client, secrets, async () => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      authentication,
      parameters,
      client.redirectUri,
      client.oauth.usesPkce ? codeVerifier : oauth.nopkce,
      options,
    );
    return toTokens(client, await oauth.processAuthorizationCodeResponse(server, self, response));
  });
}

/**
 * Exchanges a refresh token for new tokens, within `timeoutMs`. Throws `InvalidGrant` when the provider has revoked
 * the grant.
 */
export async function refreshTokens(
  egress: Egress,
  client: OAuthClient,
  refreshToken: string,
  timeoutMs = longestRequestMs,
): Promise<Tokens> {
  const { server, self, authentication, options } = buildOAuthParts(egress, client, [refreshToken], timeoutMs);
  return withTokenErrors(client, [refreshToken], async () => {
    const response = await oauth.refreshTokenGrantRequest(server, self, authentication, refreshToken, options);
    return toTokens(client, await oauth.processRefreshTokenResponse(server, self, response));
  });
}

function buildOAuthParts(
  egress: Egress,
  client: OAuthClient,
  secrets: readonly string[],
  timeoutMs = longestRequestMs,
) {
  const { oauth: facts, baseUrl, clientId, clientSecret } = client;
  const server: oauth.AuthorizationServer = {
    issuer: facts.issuer,
    authorization_endpoint: applyBaseUrl(facts.authorizeUrl, baseUrl),
    token_endpoint: applyBaseUrl(facts.tokenUrl, baseUrl),
  };
  const hidden = [...secrets, ...(clientSecret ? [clientSecret, encodeBasicCredentials(clientId, clientSecret)] : [])];
  const options = {
    [oauth.customFetch]: createEgressFetch(egress, client, { secrets: hidden, timeoutMs }),
    // Egress checks the host. It allows plain http only where the operator made an exception.
    [oauth.allowInsecureRequests]: true,
    additionalParameters: { ...facts.tokenParams },
  };
  return { server, self: { client_id: clientId }, authentication: getClientAuthentication(client), options };
}

/** The client authentication that the provider wants, or none for a public client. */
function getClientAuthentication({ oauth: facts, clientId, clientSecret }: OAuthClient): oauth.ClientAuth {
  if (!clientSecret || facts.tokenAuthMethod === 'none') return oauth.None();
  if (facts.tokenAuthMethod === 'client_secret_post') return oauth.ClientSecretPost(clientSecret);
  // The library also encodes `_` and `-`. Providers that do not decode would see another secret.
  return (_server, _client, _body, headers) => {
    headers.set('authorization', `Basic ${encodeBasicCredentials(clientId, clientSecret)}`);
  };
}

function createEgressFetch(
  egress: Egress,
  { oauth: facts, baseUrl }: OAuthClient,
  { secrets, timeoutMs }: { secrets: readonly string[]; timeoutMs: number },
) {
  return async (
    url: string,
    options: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<Response> => {
    const isJson = facts.tokenBody === 'json' && options.body;
    const body = isJson ? JSON.stringify(Object.fromEntries(options.body ?? [])) : options.body?.toString();
    const response = await egress.request({
      method: options.method,
      url,
      headers: { ...options.headers, ...facts.tokenHeaders, ...(isJson && { 'content-type': 'application/json' }) },
      ...(body && { body }),
      timeoutMs: Math.min(timeoutMs, longestRequestMs),
      redirects: 'refuse',
      allow: baseUrl ? [baseUrl] : [],
      secrets,
    });
    return normalizeTokenAnswer(facts, response);
  };
}

/** Errors of a token endpoint that mean the client is not accepted (RFC 6749 §5.2; the last one is GitHub's). */
const clientErrors = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];

function getOAuthErrorCode(error: unknown): string {
  return error instanceof oauth.ResponseBodyError ? error.error : '';
}

/** Maps the library's errors to ours. Distinguishes a revoked grant from a provider error. */
async function withTokenErrors(
  { oauth: facts, provider }: OAuthClient,
  secrets: readonly string[],
  request: () => Promise<Tokens>,
) {
  try {
    return await request();
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && ['invalid_grant', ...facts.grantEndedBy].includes(error.error)) {
      throw new InvalidGrant(error.error_description ?? error.error, { cause: error });
    }
    if (error instanceof EgressError || error instanceof AppError) throw error;
    const said =
      error instanceof oauth.ResponseBodyError
        ? trimLetters([error.error, error.error_description].filter(Boolean).join(', ').trimEnd(), '. ')
        : 'an answer that is not a token';
    const hint = clientErrors.includes(getOAuthErrorCode(error))
      ? ' Enter the client id and the secret of the OAuth client again.'
      : '';
    const message = `${provider.label} refused to issue a token: ${redactSecrets(said, secrets)}.${hint}`;
    throw new AppError('upstream_failed', message, {}, { cause: error });
  }
}

function toTokens({ oauth: { scopes } }: OAuthClient, answer: oauth.TokenEndpointResponse): Tokens {
  const refreshToken = answer.refresh_token ?? null;
  const { prefix } = scopes;
  const named = (scope: string) => (prefix && scope.startsWith(prefix) ? scope.slice(prefix.length) : scope);
  const grantEndsIn = Number(answer['refresh_token_expires_in']);
  return {
    accessToken: answer.access_token,
    expiresInSeconds: answer.expires_in ?? (refreshToken ? assumedLifetimeSeconds : null),
    refreshToken,
    grantEndsInSeconds: grantEndsIn > 0 ? grantEndsIn : null,
    scopes:
      answer.scope
        ?.split(/[\s,]+/)
        .filter(Boolean)
        .map(named) ?? null,
  };
}
