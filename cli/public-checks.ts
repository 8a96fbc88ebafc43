// Follows a client's path from the address of a server to its tokens, and reports where it breaks.
import { isLoopbackName } from '#kernel/loopback-names';
import { UsageError } from './failure.ts';

export type PublicCheck = { name: string; ok: boolean; message: string };

type Fields = Record<string, unknown>;
type PublicWalk = { url: string; metadataUrl?: string; server?: Fields };
type Link = { name: string; run(walk: PublicWalk): Promise<string> };

const timeoutMs = 10_000;

/** Returns each step in order, up to the first broken one, because later steps cannot be reached. */
export async function walkPublic(url: string): Promise<PublicCheck[]> {
  const walk: PublicWalk = { url };
  const checks: PublicCheck[] = [];
  for (const { name, run } of links) {
    try {
      checks.push({ name, ok: true, message: await run(walk) });
    } catch (error) {
      return [...checks, { name, ok: false, message: error instanceof Error ? error.message : String(error) }];
    }
  }
  return checks;
}

const links: readonly Link[] = [
  { name: 'address', run: checkAddress },
  { name: 'mcp', run: checkChallenge },
  { name: 'resource', run: checkResource },
  { name: 'server', run: checkServer },
  { name: 'sign-in', run: checkAuthorize },
  { name: 'token', run: checkToken },
];

async function checkAddress({ url }: PublicWalk): Promise<string> {
  const { protocol, hostname } = new URL(url);
  const isLocal = isLoopbackName(hostname);
  if (isLocal)
    return `${url} is on this computer. Programs here can connect; Claude and ChatGPT on the web cannot reach it.`;
  if (protocol !== 'https:')
    throw createBrokenError(
      `${url} has no https. Put a proxy with a certificate before the server, and set THALAMUS_PUBLIC_URL.`,
    );
  return url;
}

async function checkChallenge(walk: PublicWalk): Promise<string> {
  const response = await ask(`${walk.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const challenge = response.headers.get('www-authenticate') ?? '';
  if (response.status !== 401)
    throw createBrokenError(
      `${walk.url}/mcp answered ${response.status} instead of 401. A proxy may answer in its place.`,
    );
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
  if (!metadataUrl)
    throw createBrokenError(
      'The answer 401 has no resource_metadata in WWW-Authenticate. A proxy may remove the header.',
    );
  if (new URL(metadataUrl).origin !== new URL(walk.url).origin)
    throw createBrokenError(
      `The server calls itself ${new URL(metadataUrl).origin}. Set THALAMUS_PUBLIC_URL=${walk.url} and restart it.`,
    );
  walk.metadataUrl = metadataUrl;
  return `points to ${metadataUrl}`;
}

async function checkResource(walk: PublicWalk): Promise<string> {
  const { url, metadataUrl = '' } = walk;
  const { resource, authorization_servers: servers } = await readJson(metadataUrl);
  if (resource !== `${url}/mcp`)
    throw createBrokenError(`${metadataUrl} describes ${String(resource)} instead of ${url}/mcp.`);
  const issuer: unknown = Array.isArray(servers) ? servers[0] : null;
  if (typeof issuer !== 'string' || !isSameServer(issuer, url))
    throw createBrokenError(`${metadataUrl} names the authorization server ${String(servers)}.`);
  walk.url = issuer; // on this computer a browser uses one of its names, whichever name the program uses
  return `${url}/mcp gets its tokens from ${issuer}`;
}

/** Two names of this computer mean the same server if the port is the same. */
function isSameServer(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [new URL(one), new URL(other)];
  return [first, second].every(({ hostname }) => isLoopbackName(hostname)) && first.port === second.port;
}

async function checkServer(walk: PublicWalk): Promise<string> {
  const address = `${walk.url}/.well-known/oauth-authorization-server`;
  const server = await readJson(address);
  if (server['issuer'] !== walk.url)
    throw createBrokenError(`${address} names the issuer ${String(server['issuer'])} instead of ${walk.url}.`);
  const foreign = Object.entries(server).find(
    ([name, value]) => name.endsWith('_endpoint') && !String(value).startsWith(`${walk.url}/`),
  );
  if (foreign) throw createBrokenError(`${foreign[0]} is at ${String(foreign[1])}, which is another address.`);
  walk.server = server;
  return 'describes itself';
}

async function checkAuthorize({ server = {} }: PublicWalk): Promise<string> {
  const address = String(server['authorization_endpoint']);
  const { status } = await ask(address, { redirect: 'manual' });
  if (status !== 400)
    throw createBrokenError(
      `${address} answered ${status} to an empty request instead of 400. A proxy may block it: let it through.`,
    );
  return 'the sign-in page can be reached';
}

async function checkToken({ server = {} }: PublicWalk): Promise<string> {
  const address = String(server['token_endpoint']);
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'doctor', refresh_token: 'none' });
  const response = await ask(address, { method: 'POST', body });
  const { error } = (await response.json().catch(() => ({}))) as Fields;
  if (response.status !== 401 || error !== 'invalid_client')
    throw createBrokenError(
      `${address} answered ${response.status} ${String(error ?? '')} where an unknown client is to be refused with 401.`,
    );
  return 'tokens can be requested';
}

async function readJson(address: string): Promise<Fields> {
  const response = await ask(address);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || typeof body !== 'object' || body === null)
    throw createBrokenError(
      `${address} answered ${response.status} without JSON. A proxy may not pass /.well-known on.`,
    );
  return body as Fields;
}

async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw createBrokenError(`${address} cannot be reached: ${why}`);
  }
}

function createBrokenError(message: string): UsageError {
  return new UsageError(message);
}
