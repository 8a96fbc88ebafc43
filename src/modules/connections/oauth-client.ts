import { AppError } from '#kernel/errors';
import { EgressError, redactSecrets, type Egress } from '#platform/egress';
import * as oauth from 'oauth4webapi';
import { placed, type Provider } from './providers.ts';

/** An OAuth client at a provider, ready to speak. `baseUrl` stands in for the provider's hosts. */
export type OAuthClient = {
  provider: Provider;
  baseUrl: string | null;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
};

export type Tokens = { accessToken: string; expiresInSeconds: number; refreshToken: string | null; scopes: string[] };

/** The provider says that the grant is no longer valid: the person has to link the account again. */
export class InvalidGrant extends Error {}

const requestTimeoutMs = 20_000;
/** RFC 6749 §5.1: `expires_in` is only recommended; this is what is assumed without it. */
const assumedLifetimeSeconds = 600;

/** The address of the consent page, with PKCE (RFC 7636) and state. */
export async function authorizationUrl(
  client: OAuthClient,
  request: { scopes: readonly string[]; state: string; codeVerifier: string },
): Promise<string> {
  const { provider, baseUrl } = client;
  const url = new URL(placed(provider.endpoints.authorize, baseUrl));
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: [...provider.identityScopes, ...request.scopes].join(' '),
    state: request.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
    code_challenge_method: 'S256',
    ...provider.authorizeWith,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Trades the code of a callback for tokens. */
export async function exchangeCode(
  egress: Egress,
  client: OAuthClient,
  callback: { code: string; state: string; codeVerifier: string },
): Promise<Tokens> {
  const { code, state, codeVerifier } = callback;
  const secrets = [code, codeVerifier];
  const { server, self, authentication, options } = spoken(egress, client, secrets);
  const parameters = oauth.validateAuthResponse(server, self, new URLSearchParams({ code, state }), state);
  return asked(secrets, async () => {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      authentication,
      parameters,
      client.redirectUri,
      codeVerifier,
      options,
    );
    return tokensOf(await oauth.processAuthorizationCodeResponse(server, self, response));
  });
}

/** Trades a refresh token for new tokens. Throws `InvalidGrant` when the provider has ended the grant. */
export async function refreshTokens(egress: Egress, client: OAuthClient, refreshToken: string): Promise<Tokens> {
  const { server, self, authentication, options } = spoken(egress, client, [refreshToken]);
  return asked([refreshToken], async () => {
    const response = await oauth.refreshTokenGrantRequest(server, self, authentication, refreshToken, options);
    return tokensOf(await oauth.processRefreshTokenResponse(server, self, response));
  });
}

/** Tells the provider to end the grant (RFC 7009). */
export async function revokeToken(egress: Egress, client: OAuthClient, token: string): Promise<void> {
  const { server, self, authentication, options } = spoken(egress, client, [token]);
  const response = await oauth.revocationRequest(server, self, authentication, token, options);
  await oauth.processRevocationResponse(response);
}

function spoken(
  egress: Egress,
  { provider, baseUrl, clientId, clientSecret }: OAuthClient,
  secrets: readonly string[],
) {
  const at = (url: string) => placed(url, baseUrl);
  const server: oauth.AuthorizationServer = {
    issuer: baseUrl ?? provider.issuer,
    authorization_endpoint: at(provider.endpoints.authorize),
    token_endpoint: at(provider.endpoints.token),
    revocation_endpoint: at(provider.endpoints.revoke),
  };
  const options = {
    [oauth.customFetch]: throughEgress(egress, baseUrl, [clientSecret, ...secrets]),
    // Egress decides what may be reached; plain http passes it only where the operator excepted it.
    [oauth.allowInsecureRequests]: true,
  };
  return { server, self: { client_id: clientId }, authentication: oauth.ClientSecretPost(clientSecret), options };
}

function throughEgress(egress: Egress, baseUrl: string | null, secrets: readonly string[]) {
  return async (
    url: string,
    options: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<Response> => {
    const { status, headers, body } = await egress.request({
      method: options.method,
      url,
      headers: options.headers,
      ...(options.body && { body: options.body.toString() }),
      timeoutMs: requestTimeoutMs,
      redirects: 'refuse',
      allow: baseUrl ? [baseUrl] : [],
      secrets,
    });
    return new Response(new Uint8Array(body), { status, headers });
  };
}

/** Turns the library's errors into ours, and tells an ended grant from a provider in trouble. */
async function asked(secrets: readonly string[], request: () => Promise<Tokens>): Promise<Tokens> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
      throw new InvalidGrant(error.error_description ?? error.error, { cause: error });
    }
    if (error instanceof EgressError || error instanceof AppError) throw error;
    const said =
      error instanceof oauth.ResponseBodyError
        ? `${error.error} ${error.error_description ?? ''}`.trim()
        : 'an answer that is no token';
    const message = `The provider refused to give a token: ${redactSecrets(said, secrets)}.`;
    throw new AppError('upstream_failed', message, {}, { cause: error });
  }
}

function tokensOf(answer: oauth.TokenEndpointResponse): Tokens {
  return {
    accessToken: answer.access_token,
    expiresInSeconds: answer.expires_in ?? assumedLifetimeSeconds,
    refreshToken: answer.refresh_token ?? null,
    scopes: answer.scope?.split(' ') ?? [],
  };
}
