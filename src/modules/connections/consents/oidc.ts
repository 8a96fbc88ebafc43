// Signing in at any OpenID Connect issuer that the operator chose (OpenID Connect Core 1.0, RFC 7636, RFC 9207).
import { AppError } from '#kernel/errors';
import { decodeBodyText, EgressError, type Egress } from '#platform/egress';
import * as oauth from 'oauth4webapi';

export type OidcClient = {
  issuer: string;
  label: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  redirectUri: string;
};

/** The issuer's claims about a person who signed in. */
export type OidcAccount = { issuer: string; subject: string; label: string; email: string | null };

type OidcDeps = { egress: Egress; client: OidcClient; secrets?: readonly string[] };

const timeoutMs = 20_000;
const scope = 'openid email';

function buildOptions({ egress, client, secrets = [] }: OidcDeps) {
  const hidden = [...secrets, ...(client.clientSecret ? [client.clientSecret] : [])];
  return {
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
      const body = init.body instanceof URLSearchParams ? init.body.toString() : undefined;
      const response = await egress.request({
        method: init.method,
        url,
        headers: init.headers,
        ...(body !== undefined && { body }),
        timeoutMs,
        redirects: 'refuse',
        allow: [new URL(client.issuer).origin],
        secrets: hidden,
      });
      return new Response(decodeBodyText(response), { status: response.status, headers: response.headers });
    },
    // Egress checks the host. It allows plain http only where the operator made an exception.
    [oauth.allowInsecureRequests]: true,
  };
}

async function discover(speaking: OidcDeps): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(speaking.client.issuer);
  const response = await oauth.discoveryRequest(issuer, buildOptions(speaking));
  return oauth.processDiscoveryResponse(issuer, response);
}

type OidcConsent = { state: string; codeVerifier: string; nonce: string };

/** Discovers the issuer's sign-in page. Returns a function that builds its URL for one consent. */
export async function discoverOidcPage(
  egress: Egress,
  client: OidcClient,
): Promise<(asked: OidcConsent) => Promise<string>> {
  const { authorization_endpoint: page } = await withOidcErrors(client, () => discover({ egress, client }));
  if (!page) throw createOidcUnusableError(client);
  return async ({ state, codeVerifier, nonce }) => {
    const url = new URL(page);
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  };
}

/** Exchanges the code of a callback for the ID token's claims, and checks signature, audience and nonce. */
export function readOidcAccount(
  egress: Egress,
  client: OidcClient,
  callback: { code: string; state: string; iss?: string | undefined; codeVerifier: string; nonce: string },
): Promise<OidcAccount> {
  const { code, state, iss, codeVerifier, nonce } = callback;
  const speaking = { egress, client, secrets: [code, codeVerifier] };
  return withOidcErrors(client, async () => {
    const server = await discover(speaking);
    const self = { client_id: client.clientId };
    const authentication = client.clientSecret ? oauth.ClientSecretPost(client.clientSecret) : oauth.None();
    const answer = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
    const parameters = oauth.validateAuthResponse(server, self, answer, state);
    const options = buildOptions(speaking);
    const { redirectUri } = client;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      authentication,
      parameters,
      redirectUri,
      codeVerifier,
      options,
    );
    const checks = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, self, response, checks);
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims) throw createOidcUnusableError(client);
    const claimed: Record<string, unknown> = claims['email']
      ? claims
      : await readUserInfo(speaking, server, tokens.access_token, claims.sub);
    const isVerified = claimed['email_verified'] === true || claimed['email_verified'] === 'true';
    const email = typeof claimed['email'] === 'string' && isVerified ? claimed['email'] : null;
    return { issuer: server.issuer, subject: claims.sub, label: email ?? client.label, email };
  });
}

/** The userinfo endpoint adds claims that the ID token lacks. */
async function readUserInfo(
  speaking: OidcDeps,
  server: oauth.AuthorizationServer,
  token: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!server.userinfo_endpoint) return {};
  const self = { client_id: speaking.client.clientId };
  const options = buildOptions({ ...speaking, secrets: [token] });
  return oauth.processUserInfoResponse(
    server,
    self,
    subject,
    await oauth.userInfoRequest(server, self, token, options),
  );
}

async function withOidcErrors<Answer>(client: OidcClient, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof EgressError || error instanceof AppError) throw error;
    throw createOidcUnusableError(client, error);
  }
}

function createOidcUnusableError({ label }: OidcClient, cause?: unknown): AppError {
  return new AppError(
    'upstream_failed',
    `${label} did not name the person. Try again, or sign in another way.`,
    {},
    { cause },
  );
}
