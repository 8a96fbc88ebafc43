// Logging in as a client of the server: by a browser on this computer, or by a code for a browser elsewhere. RFC 6749, 7636, 8252, 8628.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageFault } from './failure.ts';
import type { Profile } from './profile.ts';
import { reach } from './reach.ts';

/** The data for new access tokens. `expiresAt`: when the token that is stored as the key expires, in ms. */
export type Renewal = { clientId: string; refreshToken: string; tokenEndpoint: string; expiresAt: number };

type Metadata = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  device_authorization_endpoint: string;
};
type Tokens = { access_token: string; refresh_token: string; expires_in: number };
type Fields = Record<string, unknown>;

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const waitMs = 10 * 60_000;
const pollMs = 3_000;

/** Logs in by a browser on this computer, which `open` is to show an address. */
export async function logInThroughBrowser(url: string, open: (address: string) => unknown): Promise<Profile> {
  const server = await readServerMetadata(url);
  const clientId = await register(server);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const { redirectUri, called } = await waitForCall();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource: `${server.issuer}/mcp`,
  });
  await open(`${server.authorization_endpoint}?${query}`);
  const answer = await called;
  if (answer.get('state') !== state || answer.get('iss') !== server.issuer)
    throw new UsageFault('The browser came back with an answer to another login. Nothing was stored. Try again.');
  const code = answer.get('code');
  if (!code) throw new UsageFault(`The login was not allowed (${answer.get('error') ?? 'no code'}).`);
  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
  return buildProfile(url, server, clientId, await requestTokens(server.token_endpoint, fields));
}

/** Logs in by any browser: `show` tells the person where to go, and this device's code. */
export async function logInThroughDevice(
  url: string,
  show: (at: { address: string; code: string }) => unknown,
  everyMs = pollMs,
): Promise<Profile> {
  const server = await readServerMetadata(url);
  const clientId = await register(server);
  const asked = await post(server.device_authorization_endpoint, {
    client_id: clientId,
    resource: `${server.issuer}/mcp`,
  });
  const { device_code: deviceCode, user_code: code, verification_uri_complete: address, expires_in } = asked.body;
  if (!asked.ok || typeof deviceCode !== 'string') throw createRefusedError(asked.body);
  await show({ address: String(address), code: String(code) });
  const until = Date.now() + Number(expires_in) * 1000;
  while (Date.now() < until) {
    const { ok, body } = await post(server.token_endpoint, {
      grant_type: deviceGrant,
      client_id: clientId,
      device_code: deviceCode,
    });
    if (ok) return buildProfile(url, server, clientId, body as Tokens); // as RFC 6749 has it
    if (body['error'] !== 'authorization_pending' && body['error'] !== 'slow_down') throw createRefusedError(body);
    await sleep(everyMs);
  }
  throw new UsageFault('The code has expired. Run `npx thalamus login --device` again.');
}

/** The key that works now: a login by browser is renewed shortly before its token ends. `keep` stores what came of it. */
export async function getCurrentKey(profile: Profile, keep: (profile: Profile) => unknown): Promise<string> {
  const { renewal, key, url } = profile;
  if (!renewal || renewal.expiresAt - 60_000 > Date.now()) return key;
  const { clientId, refreshToken, tokenEndpoint } = renewal;
  const { ok, body } = await post(tokenEndpoint, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
  });
  if (!ok) throw new UsageFault('Your login has ended. Run `npx thalamus login` again.');
  const { access_token, refresh_token, expires_in } = body as Tokens; // as RFC 6749 has it
  const expiresAt = Date.now() + expires_in * 1000;
  await keep({ url, key: access_token, renewal: { ...renewal, refreshToken: refresh_token, expiresAt } });
  return access_token;
}

async function readServerMetadata(url: string): Promise<Metadata> {
  const response = await reach(`${url}/.well-known/oauth-authorization-server`);
  const metadata = response.ok ? ((await response.json()) as Metadata) : null;
  if (!metadata)
    throw new UsageFault(`${url} has no authorization server. Log in with \`--key\`, or update the server.`);
  if (metadata.issuer !== url)
    throw new UsageFault(`The server at ${url} calls itself ${metadata.issuer}. Log in with --url ${metadata.issuer}`);
  return metadata;
}

async function register({ registration_endpoint }: Metadata): Promise<string> {
  const response = await reach(registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Thalamus command line',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id, ...body } = (await response.json()) as Fields;
  if (typeof client_id !== 'string') throw createRefusedError(body);
  return client_id;
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
    () => called.reject(new UsageFault('Nobody answered in the browser for 10 minutes.')),
    waitMs,
  );
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const ended = called.promise.finally(() => {
    clearTimeout(timer);
    server.close();
  });
  return { redirectUri: `http://127.0.0.1:${port}/callback`, called: ended };
}

async function requestTokens(endpoint: string, fields: Record<string, string>): Promise<Tokens> {
  const { ok, body } = await post(endpoint, fields);
  if (!ok) throw createRefusedError(body);
  return body as Tokens; // as RFC 6749 has it
}

function buildProfile(url: string, { token_endpoint }: Metadata, clientId: string, tokens: Tokens): Profile {
  const { access_token, refresh_token, expires_in } = tokens;
  const expiresAt = Date.now() + expires_in * 1000;
  return {
    url,
    key: access_token,
    renewal: { clientId, refreshToken: refresh_token, tokenEndpoint: token_endpoint, expiresAt },
  };
}

async function post(address: string, fields: Record<string, string>): Promise<{ ok: boolean; body: Fields }> {
  const response = await reach(address, { method: 'POST', body: new URLSearchParams(fields) });
  return { ok: response.ok, body: (await response.json().catch(() => ({}))) as Fields };
}

function createRefusedError({ error, error_description, detail }: Fields): UsageFault {
  return new UsageFault(`The server refused the login: ${String(error_description ?? detail ?? error)}.`);
}
