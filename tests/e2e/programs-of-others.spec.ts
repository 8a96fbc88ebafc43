// Programs of others, from nothing but the address of this server to a tool call; a person presses Allow in the browser.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as today from '@modelcontextprotocol/client';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from '@playwright/test';
import { findFreePort } from '../support/free-port.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

const search = { name: 'search_memory', arguments: { q: 'tide table' } };
const addTideMemory = ({ call, ownerKey }: Thalamus) =>
  call(ownerKey, 'add_memory', { content: 'The tide table hangs in the hall' });

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-programs-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

async function allow(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Another form of the address of the same server: another name of this machine, a last slash, a query. */
const buildOtherAddress = ({ url }: Thalamus) => `${url.replace('localhost', '127.0.0.1')}/mcp/?toolsets=all`;

test('mcp-remote, for clients that speak over stdio', async ({ console: page, thalamus }) => {
  await addTideMemory(thalamus);
  const program = start('mcp-remote', 'dist/proxy.js', [buildOtherAddress(thalamus), String(await findFreePort())]);
  await allow(page, await program.address());
  const say = (message: object) => program.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'stdio', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await program.says('"serverInfo"');
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: search });
  await program.says('hangs in the hall');
  await program.end();
});

test('the CLI of the MCP Inspector', async ({ console: page, thalamus }) => {
  await addTideMemory(thalamus);
  const callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
  const target = ['--cli', buildOtherAddress(thalamus), '--transport', 'http', '--callback-url', callback];
  const call = ['--method', 'tools/call', '--tool-name', search.name, '--tool-arg', `q=${search.arguments.q}`];
  const options = [...target, ...call];
  const program = start('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js', options);
  await allow(page, await program.address());
  await program.says('hangs in the hall');
  await program.end();
});

test('clients of the first SDK and of today’s', async ({ console: page, thalamus }) => {
  await addTideMemory(thalamus);
  const url = new URL(`${thalamus.url}/mcp`);
  const before = await createClientStore(page);
  const openBefore = () => new StreamableHTTPClientTransport(url, { authProvider: before.provider });
  const first = openBefore();
  await expect(new Client({ name: 'sdk', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth((await before.answer()).get('code') ?? '');
  const client = new Client({ name: 'sdk', version: '1' });
  await client.connect(openBefore());
  expect(JSON.stringify(await client.callTool(search))).toContain('hangs in the hall');
  await client.close();

  const now = await createClientStore(page);
  const openNow = () => new today.StreamableHTTPClientTransport(url, { authProvider: now.provider });
  const second = openNow();
  await expect(new today.Client({ name: 'sdk', version: '2' }).connect(second)).rejects.toThrow(
    today.UnauthorizedError,
  );
  await second.finishAuth(await now.answer());
  const next = new today.Client({ name: 'sdk', version: '2' });
  await next.connect(openNow());
  expect(JSON.stringify(await next.callTool(search))).toContain('hangs in the hall');
  await next.close();
});

/** What a client of an SDK keeps; it waits for its code as a program on this computer does. */
async function createClientStore(page: Page) {
  const waiting = createServer((_request, response) => response.end('You can close this page.')).listen(0, '127.0.0.1');
  await once(waiting, 'listening');
  const redirectUrl = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`;
  const called = once(waiting, 'request') as Promise<[{ url?: string }]>;
  const kept: Partial<Record<'client' | 'tokens' | 'verifier', unknown>> = {};
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'SDK client', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: (address: URL) => allow(page, String(address)),
  } as unknown as OAuthClientProvider & today.OAuthClientProvider; // what it keeps has the SDKs' own types
  const answer = async () => {
    const [{ url = '' }] = await called;
    waiting.closeAllConnections();
    waiting.close();
    return new URL(url, redirectUrl).searchParams;
  };
  return { provider, answer };
}

/** A program that cannot open a browser, and prints the address in its place. */
function start(name: string, path: string, options: string[]) {
  const program = fileURLToPath(new URL(path, import.meta.resolve(`${name}/package.json`)));
  const env = {
    ...process.env,
    PATH: folder,
    HOME: folder,
    MCP_REMOTE_CONFIG_DIR: folder,
    MCP_AUTO_OPEN_ENABLED: 'true',
  };
  const child = spawn(process.execPath, [program, ...options], { stdio: 'pipe', env });
  const said = collectOutput(child);
  const find = async (pattern: RegExp) => {
    await expect.poll(said, { timeout: 20_000 }).toMatch(pattern);
    return pattern.exec(said())?.[0] ?? '';
  };
  const ended = once(child, 'exit');
  return {
    child,
    address: () => find(/https?:\/\/\S+\/oauth\/authorize\?[\w%.~+&=-]+/),
    says: (text: string) => expect.poll(said, { timeout: 20_000 }).toContain(text),
    async end() {
      child.kill();
      await ended;
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  return () => said;
}
