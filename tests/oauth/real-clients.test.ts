// Programs of others, from nothing but the address of this server to a tool call.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { anyRedirect, Browser, decide, register } from '../support/oauth.ts';
import { pressAllow } from '../support/press-allow.ts';
import { startOauthServer } from './support.ts';

type Started = Awaited<ReturnType<typeof startOauthServer>>;
let server: Started['server'];
let owner: Started['owner'];
let close: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-clients-'));
  ({ server, owner, close } = await startOauthServer());
  await server.ok('add_memory', { content: 'The tide table hangs in the hall' });
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

const programOf = (name: string, path: string) =>
  fileURLToPath(new URL(path, import.meta.resolve(`${name}/package.json`)));
const search = { name: 'search_memory', arguments: { q: 'tide table' } };

test('a client of the first SDK goes from the bare URL to a tool call', async () => {
  const kept: Partial<Record<'client' | 'tokens' | 'verifier', unknown>> = {};
  let code = '';
  const person = {
    redirectUrl: anyRedirect,
    clientMetadata: { client_name: 'SDK of before', redirect_uris: [anyRedirect] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    async redirectToAuthorization(address: URL) {
      const back = await decide(new Browser(server, owner.cookie), String(address));
      code = back.searchParams.get('code') ?? '';
    },
  } as unknown as OAuthClientProvider; // what it keeps has the SDK's own types
  const open = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: person });
  const first = open();
  await expect(new Client({ name: 'sdk', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(code);
  const client = new Client({ name: 'sdk', version: '1' });
  await client.connect(open());
  expect(JSON.stringify(await client.callTool(search))).toContain('hangs in the hall');
  await client.close();
});

test('mcp-remote lets a stdio-only client call a tool', async () => {
  const proxy = run(programOf('mcp-remote', 'dist/proxy.js'), [`${server.url}/mcp`, String(await freePort())], {
    MCP_REMOTE_CONFIG_DIR: folder,
  });
  await pressAllow(proxy, server, owner.cookie);
  const answers = answersOf(proxy);
  const say = (message: object) => proxy.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'stdio', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  expect(await answers(1)).toContain('"serverInfo"');
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: search });
  expect(await answers(2)).toContain('hangs in the hall');
  proxy.kill();
  await once(proxy, 'exit');
});

test('the conformance suite finds nothing wrong with the authorization server', async () => {
  const port = await freePort();
  const { client_id } = await register(server, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const options = ['--url', server.url, '--client-id', client_id, '--resource', `${server.url}/mcp`];
  const suite = run(programOf('@modelcontextprotocol/conformance', 'dist/index.js'), [
    'authorization',
    ...options,
    '-p',
    String(port),
    '-o',
    folder,
  ]);
  const output = suite.stdout ? text(suite.stdout) : '';
  const ended = once(suite, 'exit');
  await pressAllow(suite, server, owner.cookie);
  const [exitCode] = await ended;
  expect(exitCode, await output).toBe(0);
});

function run(program: string, options: string[], env: Record<string, string> = {}): ChildProcess {
  // Nothing here can open a browser: the program prints the address in its place.
  const settings = { ...process.env, ...env, PATH: folder };
  return spawn(process.execPath, [program, ...options], { stdio: 'pipe', env: settings });
}

/** The line of an answer, by the id of its request. */
function answersOf(program: ChildProcess): (id: number) => Promise<string> {
  let said = '';
  program.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const lineOf = (id: number) => said.split('\n').find((line) => line.includes(`"id":${id}`)) ?? '';
  return async (id) => {
    await expect.poll(() => lineOf(id), { timeout: 15_000 }).not.toBe('');
    return lineOf(id);
  };
}
