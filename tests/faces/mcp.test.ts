import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { Client as Postgres } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp, type Wire } from '../support/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const clients: Client[] = [];

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(path = '/mcp', options: { key?: string; wire?: Wire } = {}): Promise<Client> {
  const client = await connectMcp(`${server.url}${path}`, options.key ?? server.key, options.wire);
  clients.push(client);
  return client;
}

async function listToolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

async function createAgentKey(): Promise<{ key: string; key_id: string }> {
  const { key, key_id } = await server.ok('create_key', { label: 'an agent' });
  return { key: String(key), key_id: String(key_id) };
}

type ErrorBody = { code: string; message: string; details: Record<string, unknown>; request_id: string };

const wires: [wire: Wire, path: string][] = [
  ['2026-07-28', '/mcp'],
  ['2026-07-28', '/'],
  ['2025-11-25', '/mcp'],
  ['2025-11-25', '/'],
  ['2025-11-25', '/sse'],
  ['2024-11-05 (HTTP+SSE)', '/sse'],
  ['2024-11-05 (HTTP+SSE)', '/mcp'],
  ['2024-11-05 (HTTP+SSE)', '/'],
];

describe.for(wires)('a client of %s at %s', ([wire, path]) => {
  test('reads that it should load the brain first, and sees about 25 tools', async () => {
    const client = await connect(path, { wire });
    expect(client.getInstructions()).toMatch(/load_brain first/);
    const names = await listToolNames(client);
    expect(names).toEqual(expect.arrayContaining(['load_brain', 'add_memory', 'search_memory', 'manage']));
    expect(names.length).toBeLessThanOrEqual(30);
    expect(names).not.toContain('create_key');
  });

  test('stores a memory and finds it again', async () => {
    const client = await connect(path, { wire });
    const content = `Deploys from ${path} on ${wire} happen on Tuesdays`;
    const stored = await client.callTool({ name: 'add_memory', arguments: { content, type: 'fact' } });
    expect(stored.isError).toBeFalsy();
    expect(stored.structuredContent).toMatchObject({ type: 'fact', salience: 'normal' });
    const found = await client.callTool({ name: 'search_memory', arguments: { q: content } });
    expect(found.structuredContent).toHaveProperty(
      'memories',
      expect.arrayContaining([expect.objectContaining({ content })]),
    );
  });

  test('gets an error as a result with code, message, details and request id', async () => {
    const client = await connect(path, { wire });
    const result = await client.callTool({ name: 'add_memory', arguments: { content: 'x', colour: 'red' } });
    expect(result.isError).toBe(true);
    const error = result.structuredContent as ErrorBody;
    expect(error).toEqual({
      code: 'invalid_input',
      message: expect.stringMatching(/unknown field 'colour'/),
      details: { issues: [expect.objectContaining({ message: expect.stringContaining('colour') })] },
      request_id: expect.any(String),
    });
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining(error.message) }]);
  });

  test('gets a protocol error for an unknown tool', async () => {
    const client = await connect(path, { wire });
    const call = client.callTool({ name: 'no_such_tool', arguments: {} });
    await expect(call).rejects.toThrow(/Unknown tool: no_such_tool/);
    await expect(call).rejects.toBeInstanceOf(ProtocolError);
  });
});

describe('one definition', () => {
  test('the body equals that of REST', async () => {
    await server.ok('add_memory', { content: 'The invoice run is on the first working day' });
    const input = { q: 'invoice run' };
    const client = await connect();
    const { structuredContent, content } = await client.callTool({ name: 'search_memory', arguments: input });
    const body = await server.ok('search_memory', input);
    expect(structuredContent).toEqual(body);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(body) }]);
  });

  test('every tool has a title, a description, strict input, and hints that match its effect', async () => {
    const { tools } = await (await connect('/mcp?toolsets=all&schemas=full')).listTools();
    for (const tool of tools.filter(({ name }) => name !== 'manage')) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description, tool.name).toBeTruthy();
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' });
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints['search_memory']).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(hints['add_memory']).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });
});

describe('the list of tools', () => {
  const tokens = (tools: readonly object[]) => JSON.stringify(tools).length / 4;

  test('costs at most 8,000 tokens, since it leaves output schemas out', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tokens(tools)).toBeLessThanOrEqual(8_000);
    expect(tools.length).toBeGreaterThanOrEqual(25);
    for (const tool of tools) expect(tool.outputSchema, tool.name).toBeUndefined();
  });

  test('has full schemas on request', async () => {
    const { tools } = await (await connect('/mcp?schemas=full')).listTools();
    const { tools: short } = await (await connect('/mcp?schemas=short')).listTools();
    expect(tools.map(({ name }) => name)).toEqual(short.map(({ name }) => name));
    expect(tokens(tools)).toBeGreaterThan(3 * tokens(short));
  });

  test('refuses another value for schemas, and lists the valid ones', async () => {
    const response = await post('/mcp?schemas=tiny', {});
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(/short or full/);
  });
});

describe('toolsets', () => {
  test('are chosen by the address', async () => {
    const names = await listToolNames(await connect('/mcp?toolsets=brains'));
    expect(names).toEqual(expect.arrayContaining(['create_brain', 'manage']));
    expect(names).not.toContain('add_memory');
  });

  test('also apply to the stream of the deprecated transport', async () => {
    const names = await listToolNames(await connect('/sse?toolsets=brains', { wire: '2024-11-05 (HTTP+SSE)' }));
    expect(names).toContain('create_brain');
    expect(names).not.toContain('add_memory');
  });

  test('are all listed on request, accounts only as far as the key reaches', async () => {
    const { key } = await createAgentKey();
    expect(await listToolNames(await connect('/mcp?toolsets=all'))).toContain('create_key');
    expect(await listToolNames(await connect('/mcp?toolsets=all', { key }))).not.toContain('create_key');
  });

  test('with an unknown name are refused, with a list of the known names', async () => {
    const response = await post('/mcp?toolsets=memories', {});
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(/memory, integrations, actions/);
  });
});

describe('manage', () => {
  test('runs an operation whose tool is not shown', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'manage', arguments: { action: 'create_brain', name: 'Research' } });
    expect(result.structuredContent).toMatchObject({ name: 'Research Brain' });
    const nested = await client.callTool({ name: 'manage', arguments: { action: 'list_brains', arguments: {} } });
    expect(JSON.stringify(nested.structuredContent)).toContain('Research');
  });

  test('lists the actions, and describes one without running it', async () => {
    const client = await connect();
    const list = await client.callTool({ name: 'manage', arguments: {} });
    expect(JSON.stringify(list.structuredContent)).toContain('create_key');
    const help = await client.callTool({ name: 'manage', arguments: { action: 'create_key', help: true } });
    expect(help.structuredContent).toMatchObject({ scope: 'keys:write', input: { required: ['label'] } });
  });

  test('reports an unknown action', async () => {
    const result = await (await connect()).callTool({ name: 'manage', arguments: { action: 'make_coffee' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } });
  });

  test('gives an agent nothing that its key may not do', async () => {
    const { key } = await createAgentKey();
    const result = await (
      await connect('/mcp', { key })
    ).callTool({ name: 'manage', arguments: { action: 'create_key', label: 'more' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'forbidden' } });
  });
});

describe('the access to MCP', () => {
  test.for([
    ['no key', undefined],
    ['a key that never was', `cm_${'x'.repeat(40)}`],
  ])('with %s gets 401 and a challenge', async ([, key]) => {
    const response = await post('/mcp', initialize, { key });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  test('a revoked key is refused within a second, in the middle of a conversation', async () => {
    const { key, key_id } = await createAgentKey();
    const client = await connect('/mcp', { key });
    await client.listTools();
    await server.ok('revoke_key', { key_id });
    await sleep(1_000); // a key is known for a second
    await expect(client.callTool({ name: 'list_brains', arguments: {} })).rejects.toThrow(/revoked/);
  });

  test('an expired key is refused', async () => {
    const { key, key_id } = await createAgentKey();
    await query(`update keys set expires_at = now() - interval '1 second' where id = '${key_id}'`);
    expect((await post('/mcp', initialize, { key })).status).toBe(401);
  });

  test('the items of another workspace do not exist', async () => {
    const [workspace, brain] = [randomUUID(), randomUUID()];
    await query(`insert into workspaces (id, name, created_at) values ('${workspace}', 'Others', now())`);
    await query(
      `insert into brains (id, workspace_id, name, created_at) values ('${brain}', '${workspace}', 'B', now())`,
    );
    const input = { content: 'x', target_brain_id: brain };
    const result = await (await connect()).callTool({ name: 'add_memory', arguments: input });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } });
  });

  test('the items of another brain do not exist for a key of one brain', async () => {
    const secret = await server.ok('create_brain', { name: 'Board' });
    const mine = await server.ok('create_brain', { name: 'Support' });
    const created = await server.ok('create_key', {
      label: 'support',
      home_brain_id: mine['brain_id'],
      reach: 'brain',
    });
    const client = await connect('/mcp', { key: String(created['key']) });
    const input = { content: 'x', target_brain_id: secret['brain_id'] };
    const result = await client.callTool({ name: 'add_memory', arguments: input });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } });
  });

  test('a page of another origin is refused, a local tool is not', async () => {
    const origin = await post('/mcp', initialize, { key: server.key, headers: { origin: 'https://evil.example.com' } });
    expect(origin.status).toBe(403);
    const own = await post('/mcp', initialize, { key: server.key, headers: { origin: 'http://localhost:6274' } });
    expect(own.status).toBe(200);
  });
});

describe('the address', () => {
  test('shows the console to a browser, and needs no stream beside Streamable HTTP', async () => {
    const page = await server.request('/', { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).toBeTruthy();
    const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' };
    for (const path of ['/', '/mcp']) expect((await server.request(path, { headers })).status).toBe(405);
  });

  test('a stream accepts messages of its own caller only', async () => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${server.key}` };
    const ended = new AbortController();
    const stream = await server.request('/sse', { headers, signal: ended.signal });
    const { value } = await stream.body!.getReader().read();
    const path = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
    const { key } = await createAgentKey();
    expect((await post(path, initialize, { key })).status).toBe(404);
    expect((await post(path, initialize, { key: server.key })).status).toBe(202);
    ended.abort();
  });

  test('a stream ends when the server stops, and does not delay it', async () => {
    const other = await startTestServer();
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${other.key}` };
    const reader = (await other.request('/sse', { headers })).body!.getReader();
    await reader.read();
    await other.close();
    // A connection that had to be cut when the server would wait no longer would fail here.
    expect((await reader.read()).done).toBe(true);
  });

  test('a body that is too long is refused before it is read', async () => {
    const response = await post('/mcp', { ...initialize, pad: 'x'.repeat(70_000_000) }, { key: server.key });
    expect(response.status).toBe(413);
  });
});

/** Runs a statement as the owner of the database, whom row level security does not bind. */
async function query(statement: string): Promise<void> {
  const postgres = new Postgres({ connectionString: server.connectionString });
  await postgres.connect();
  await postgres.query(statement).finally(() => postgres.end());
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function post(path: string, body: unknown, options: { key?: string; headers?: Record<string, string> } = {}) {
  const authorization = 'key' in options ? options.key && `Bearer ${options.key}` : `Bearer ${server.key}`;
  return server.request(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization && { authorization }),
      ...options.headers,
    },
    body: JSON.stringify(body),
  });
}
