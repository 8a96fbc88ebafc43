// Logs in as a client of the server: with a browser on this computer, or with a code for a browser elsewhere. RFC 6749,
// 7636, 8252, 8628.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { NoServerError, UsageError } from './failure.ts';
import type { Profile } from './profile.ts';
import { reach } from './reach.ts';

/** The data for new access tokens. `expiresAt`: when the token that is stored as the key expires, in ms. */
export type Renewal = { clientId: string; refreshToken: string; tokenEndpoint: string; expiresAt: number };

const waitMs = 10 * 60_000;
/** RFC 8628 §3.2 and §3.5: the pause between two questions, unless the server names one, and what each `slow_down` adds to it. */
const usualPauseSeconds = 5;
const slowDownSeconds = 5;

/** The server may be on this computer, without https. */
const transport = {
  [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) =>
    reach(url, init as RequestInit),
  [oauth.allowInsecureRequests]: true,
};

/** Logs in with a browser on this computer, to which `open` shows an address. */
export async function logInThroughBrowser(url: string, open: (address: string) => unknown): Promise<Profile> {
  const server = await readServerMetadata(url);
  const client = await register(server);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const { redirectUri, called } = await waitForCall();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: `${server.issuer}/mcp`,
  });
  await open(`${server.authorization_endpoint}?${query}`);
  const callback = readCallback(server, client, await called, state);
  const tokens = await withRefusals(async () =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        callback,
        redirectUri,
        verifier,
        transport,
      ),
    ),
  );
  return buildProfile(url, server, client, tokens);
}

/** Logs in with any browser: `show` tells the person where to go, and this device's code. `pause` waits before each request. */
export async function logInThroughDevice(
  url: string,
  show: (at: { address: string; code: string }) => unknown,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Profile> {
  const server = await readServerMetadata(url);
  const client = await register(server);
  const device = await withRefusals(async () =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        { resource: `${server.issuer}/mcp` },
        transport,
      ),
    ),
  );
  const { verification_uri, verification_uri_complete: address = verification_uri, user_code: code } = device;
  await show({ address, code });
  const until = Date.now() + device.expires_in * 1000;
  let seconds = device.interval ?? usualPauseSeconds;
  while (Date.now() < until) {
    await pause(seconds * 1000);
    const tokens = await askForDeviceTokens(server, client, device.device_code);
    if (typeof tokens !== 'string') return buildProfile(url, server, client, tokens);
    if (tokens === 'slow_down') seconds += slowDownSeconds;
  }
  throw new UsageError('The code has expired. Run `npx thalamus login --device` again.');
}

/** The tokens, or why there are none yet. Throws when the request was refused. */
async function askForDeviceTokens(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  deviceCode: string,
): Promise<oauth.TokenEndpointResponse | 'authorization_pending' | 'slow_down'> {
  return withRefusals(async () => {
    const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode, transport);
    try {
      return await oauth.processDeviceCodeResponse(server, client, response);
    } catch (error) {
      const reason = error instanceof oauth.ResponseBodyError ? error.error : null;
      if (reason === 'authorization_pending' || reason === 'slow_down') return reason;
      throw error;
    }
  });
}

/** The key that works now: a browser login is renewed shortly before its token expires. `keep` stores the result. */
export async function getCurrentKey(profile: Profile, keep: (profile: Profile) => unknown): Promise<string> {
  const { renewal, key, url } = profile;
  if (!renewal || renewal.expiresAt - 60_000 > Date.now()) return key;
  const server = { issuer: url, token_endpoint: renewal.tokenEndpoint };
  const client = { client_id: renewal.clientId };
  const tokens = await renew(server, client, renewal.refreshToken);
  const { expiresAt, refreshToken } = readTokens(tokens);
  const renewed = { ...renewal, refreshToken: refreshToken ?? renewal.refreshToken, expiresAt };
  await keep({ url, key: tokens.access_token, renewal: renewed });
  return tokens.access_token;
}

async function renew(server: oauth.AuthorizationServer, client: oauth.Client, refreshToken: string) {
  try {
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, transport);
    return await oauth.processRefreshTokenResponse(server, client, response);
  } catch (error) {
    if (error instanceof NoServerError) throw error;
    throw new UsageError('Your login has ended. Run `npx thalamus login` again.', { cause: error });
  }
}

async function readServerMetadata(url: string): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(url), { algorithm: 'oauth2', ...transport });
  const metadata = response.ok ? ((await response.json()) as oauth.AuthorizationServer) : null;
  if (!metadata)
    throw new UsageError(`${url} has no authorization server. Log in with \`--key\`, or update the server.`);
  if (metadata.issuer !== url)
    throw new UsageError(`The server at ${url} calls itself ${metadata.issuer}. Log in with --url ${metadata.issuer}`);
  return metadata;
}

function register(server: oauth.AuthorizationServer): Promise<oauth.Client> {
  const about = {
    client_name: 'Thalamus command line',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  };
  return withRefusals(async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, about, transport),
    ),
  );
}

/** The parameters with which the browser came back. Throws unless they allow this login. */
function readCallback(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  answer: URLSearchParams,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, answer, state);
  } catch (cause) {
    if (cause instanceof oauth.AuthorizationResponseError)
      throw new UsageError(`The login was not allowed (${cause.error}).`, { cause });
    const message = 'The browser came back with an answer to another login. Nothing was stored. Try again.';
    throw new UsageError(message, { cause });
  }
}

/** Waits on a free port of this computer for the browser to return. */
async function waitForCall(): Promise<{ redirectUri: string; called: Promise<URLSearchParams> }> {
  const called = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname !== '/callback') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.setHeader('connection', 'close');
    response.end('You can close this window and go back to the terminal.');
    called.resolve(searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const timer = setTimeout(
    () => called.reject(new UsageError('Nobody answered in the browser for 10 minutes.')),
    waitMs,
  );
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const ended = called.promise.finally(() => {
    clearTimeout(timer);
    server.close();
  });
  return { redirectUri: `http://127.0.0.1:${port}/callback`, called: ended };
}

function buildProfile(
  url: string,
  { token_endpoint: tokenEndpoint }: oauth.AuthorizationServer,
  { client_id: clientId }: oauth.Client,
  tokens: oauth.TokenEndpointResponse,
): Profile {
  const { expiresAt, refreshToken } = readTokens(tokens);
  const key = tokens.access_token;
  if (!refreshToken || !tokenEndpoint) return { url, key };
  return { url, key, renewal: { clientId, refreshToken, tokenEndpoint, expiresAt } };
}

function readTokens({ expires_in = 0, refresh_token: refreshToken }: oauth.TokenEndpointResponse) {
  return { expiresAt: Date.now() + expires_in * 1000, refreshToken };
}

/** Says in plain words why the server refused. */
async function withRefusals<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const reason = await findRefusal(error);
    if (reason === null) throw error;
    throw new UsageError(`The server refused the login: ${reason}.`, { cause: error });
  }
}

/** The reason that the server gave: by OAuth, or in its own form of errors; null: the error is another one. */
async function findRefusal(error: unknown): Promise<string | null> {
  if (error instanceof oauth.ResponseBodyError) return error.error_description ?? error.error;
  if (!(error instanceof oauth.OperationProcessingError)) return null;
  if (!(error.cause instanceof Response) || error.cause.bodyUsed) return error.message;
  const detail = await readDetail(error.cause);
  return detail ?? `it answered ${error.cause.status}`;
}

async function readDetail(response: Response): Promise<string | null> {
  try {
    const { detail } = (await response.json()) as { detail?: unknown };
    return detail === undefined ? null : String(detail);
  } catch {
    return null; // a page of a proxy, for example
  }
}
