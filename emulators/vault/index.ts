// HashiCorp Vault's KV version 2 secrets engine on a real port, as strict as its API description:
// https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** `data` is null once it was destroyed. */
type Version = { data: Record<string, unknown> | null; created: string };
type Entry = { method: string; path: string; status: number };

export type VaultEmulator = {
  url: string;
  token: string;
  mount: string;
  /** Every request, without its body. */
  ledger: Entry[];
  /** What it keeps: each path with its versions, oldest first. */
  secrets: Map<string, Version[]>;
  /** Answers the next requests with this status: 503 is a sealed vault. */
  failWith: number | null;
  /** What the policy of the token does not allow, such as `DELETE metadata`. */
  denied: Set<string>;
  close(): Promise<void>;
};

const mostVersions = 10;

/** Starts a vault that is unsealed and has one engine. */
export async function startVaultEmulator({ mount = 'secret' } = {}): Promise<VaultEmulator> {
  const server = createServer((request, response) => void answer(vault, request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const vault: VaultEmulator = {
    url: `http://127.0.0.1:${port}`,
    token: 'hvs.CAESIEmulatedVaultToken0123456789',
    mount,
    ledger: [],
    secrets: new Map(),
    failWith: null,
    denied: new Set(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return vault;
}

async function answer(vault: VaultEmulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '', vault.url);
  const body = await text(request);
  const [status, answered] = respond(vault, {
    method,
    url,
    token: headers['x-vault-token'],
    type: headers['content-type'],
    body,
  });
  vault.ledger.push({ method, path: url.pathname + url.search, status });
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(answered === undefined ? undefined : JSON.stringify(answered));
}

type VaultRequest = { method: string; url: URL; token: unknown; type: unknown; body: string };
type VaultAnswer = [status: number, body?: unknown];

const buildErrorAnswer = (status: number, ...errors: string[]): VaultAnswer => [status, { errors }];

function respond(vault: VaultEmulator, asked: VaultRequest): VaultAnswer {
  if (vault.failWith !== null)
    return buildErrorAnswer(vault.failWith, vault.failWith === 503 ? 'Vault is sealed' : 'failure');
  if (asked.token !== vault.token) return buildErrorAnswer(403, 'permission denied');
  const [, engine, kind, path] = /^\/v1\/([^/]+)\/(data|metadata|destroy)\/(.+)$/.exec(asked.url.pathname) ?? [];
  if (engine !== vault.mount || !kind || !path)
    return buildErrorAnswer(404, `no handler for route "${asked.url.pathname.slice(4)}"`);
  const route = `${asked.method} ${kind}`;
  if (vault.denied.has(route)) return buildErrorAnswer(403, 'permission denied');
  if (route === 'POST data' || route === 'PUT data') return write(vault, path, asked);
  if (route === 'GET data') return read(vault, path, asked.url.searchParams.get('version'));
  if (route === 'DELETE metadata') {
    vault.secrets.delete(path);
    return [204];
  }
  if (route === 'PUT destroy' || route === 'POST destroy') return destroy(vault, path, asked);
  return buildErrorAnswer(405, 'unsupported operation');
}

/** Destroyed versions keep their numbers, but not their data. */
function destroy(vault: VaultEmulator, path: string, { body, type }: VaultRequest): VaultAnswer {
  if (typeof type !== 'string' || !type.startsWith('application/json'))
    return buildErrorAnswer(400, 'failed to parse JSON input');
  const { versions: numbers } = JSON.parse(body) as { versions?: unknown };
  if (!Array.isArray(numbers) || numbers.length === 0) return buildErrorAnswer(400, 'No version number provided');
  const versions = vault.secrets.get(path) ?? [];
  for (const number of numbers) {
    const version = versions[Number(number) - 1];
    if (version) version.data = null;
  }
  return [204];
}

function write(vault: VaultEmulator, path: string, { body, type }: VaultRequest): VaultAnswer {
  if (typeof type !== 'string' || !type.startsWith('application/json'))
    return buildErrorAnswer(400, 'failed to parse JSON input');
  const parsed = JSON.parse(body) as { data?: unknown };
  if (typeof parsed.data !== 'object' || parsed.data === null) return buildErrorAnswer(400, 'no data provided');
  const versions = vault.secrets.get(path) ?? [];
  const version = { data: parsed.data as Record<string, unknown>, created: new Date().toISOString() };
  vault.secrets.set(path, [...versions, version]);
  return [200, { data: buildVersionMetadata(version, versions.length + 1) }];
}

function read(vault: VaultEmulator, path: string, asked: string | null): VaultAnswer {
  const versions = vault.secrets.get(path);
  if (!versions) return buildErrorAnswer(404);
  const number = asked ? Number(asked) : versions.length;
  const version = versions[number - 1];
  if (!version?.data || number <= versions.length - mostVersions) return buildErrorAnswer(404);
  return [200, { data: { data: version.data, metadata: buildVersionMetadata(version, number) } }];
}

function buildVersionMetadata({ created }: Version, version: number) {
  return { created_time: created, custom_metadata: null, deletion_time: '', destroyed: false, version };
}
