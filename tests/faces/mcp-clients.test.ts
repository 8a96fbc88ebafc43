// What clients of MCP really send: values as text, null for what is not set, other Accept headers, tools that their list does not show.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Message = { id?: number; result?: Record<string, unknown>; error?: { code: number; message: string } };
const usual = 'application/json, text/event-stream';

function post(body: unknown, { accept = usual as string | null, path = '/mcp', key = server.key } = {}) {
  const headers = new Headers({ 'content-type': 'application/json', authorization: `Bearer ${key}` });
  headers.set('accept', accept ?? '');
  return server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const request = (method: string, params?: unknown, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

/** A bare call, as clients without a session make it; the answer's structured content. */
async function call(name: string, input: unknown, options: Parameters<typeof post>[1] = {}) {
  const response = await post(request('tools/call', { name, arguments: input }), {
    accept: 'application/json',
    ...options,
  });
  const { result, error } = (await response.json()) as Message;
  return {
    error,
    isError: result?.['isError'] === true,
    body: (result?.['structuredContent'] ?? {}) as Record<string, unknown>,
  };
}

describe('arguments', () => {
  test('are read as their fields mean them, in every tool and through manage, and REST stays strict', async () => {
    const list = '[{"condition":"lighting the pier","reason":"the lamp is lit"}]';
    const stored = await call('add_memory', {
      content: 'The lamp of the pier is lit',
      type: '',
      thread_id: null,
      triggers: list,
    });
    expect(stored).toMatchObject({ isError: false, body: { type: 'fact' } });
    for (const input of [
      { q: 'lamp', limit: '5' },
      { q: 'lamp', limit: '5.0', type: 'null', since: '', brain_id: null },
    ]) {
      const found = await call('search_memory', input);
      expect(found.body['memories']).toMatchObject([{ triggers: [{ condition: 'lighting the pier' }] }]);
      expect(await call('manage', { action: 'search_memory', ...input })).toEqual(found);
      expect(await call('manage', { action: 'search_memory', arguments: JSON.stringify(input) })).toEqual(found);
      expect(await server.call('search_memory', input)).toMatchObject({ status: 422 });
    }
  });

  test('that n8n adds to every call are left out, and other unknown ones are refused', async () => {
    const added = {
      toolCallId: 'call_0BCIShth',
      sessionId: 'c1',
      chatInput: 'hi',
      action: 'sendMessage',
      tool: 'Brains',
    };
    expect(await call('list_brains', added)).toMatchObject({ isError: false });
    const { toolCallId: _none, ...others } = added;
    for (const input of [others, { ...added, unit: 'm' }])
      expect((await call('list_brains', input)).body).toMatchObject({ code: 'invalid_input' });
    expect(await server.call('list_brains', added)).toMatchObject({ status: 422 });
  });

  test.for([null, '', [], '{}', '[]'])('that are %j count as none', async (none) => {
    expect(await call('list_brains', none)).toMatchObject({ isError: none === '[]' ? expect.anything() : false });
  });

  test('of an action are read by the schema of the action', async () => {
    const asked = {
      source: 'gmail',
      action: 'send_email',
      input: { to: '["grace@navy.example"]', subject: 'Lamp', body: 'Lit' },
    };
    expect(await call('explain_policy', asked)).toMatchObject({ isError: false });
    const wrong = await call('explain_policy', { ...asked, input: { ...asked.input, to: 'grace@navy.example' } });
    expect(wrong.body).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('to: Invalid input: expected array'),
    });
    expect(wrong.body['message']).toMatch(/give a list, such as \["/);
    expect(await server.call('explain_policy', asked)).toMatchObject({ status: 422 });
  });

  test('null clears where a field says so', async () => {
    const { brain_id: above } = await server.ok('create_brain', { name: 'Above' });
    const { brain_id } = await server.ok('create_brain', { name: 'Below', parent_brain_id: above });
    const moved = await call('update_brain', { brain_id, parent_brain_id: null, name: '' });
    expect(moved).toMatchObject({ isError: false, body: { parent_brain_id: null, name: 'Below Brain' } });
  });
});

describe('the published input schemas', () => {
  type Part = Record<string, unknown>;
  const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;
  /** Every place that allows null, with the descriptions on the way to it. */
  function listNulls(value: unknown, said: string, path = ''): [path: string, said: string][] {
    if (!isPart(value)) return [];
    const here = `${said} ${typeof value['description'] === 'string' ? value['description'] : ''}`;
    const isNull =
      value['type'] === 'null' ||
      value['const'] === null ||
      (Array.isArray(value['type']) && value['type'].includes('null'));
    return [
      ...(isNull ? [[path, here] as [string, string]] : []),
      ...Object.entries(value).flatMap(([name, each]) => listNulls(each, here, `${path}.${name}`)),
    ];
  }

  test('have no null, with short schemas, with full ones and in the help of manage', async () => {
    for (const path of ['/mcp?toolsets=all', '/mcp?toolsets=all&schemas=full']) {
      const { result } = (await (
        await post(request('tools/list'), { path, accept: 'application/json' })
      ).json()) as Message;
      const tools = result?.['tools'] as { name: string; inputSchema: unknown }[];
      expect(tools.length).toBeGreaterThan(200);
      expect(
        tools.flatMap(({ name, inputSchema }) => listNulls(inputSchema, '').map(([at]) => `${name}${at}`)),
      ).toEqual([]);
    }
    const help = await call('manage', { action: 'update_brain', help: 'true' });
    expect(listNulls(help.body['input'], '')).toEqual([]);
  });

  test('say in words where null is taken', async () => {
    const { getOperationSchemas } = await import('#faces/reference');
    for (const operation of (await describeProduct()).values())
      for (const [path, said] of listNulls(getOperationSchemas(operation).input, operation.summary))
        if (!path.includes('$defs')) expect(said, `${operation.name}${path}`).toMatch(/null/i);
  });
});

describe('the header Accept', () => {
  test.for([
    'application/json',
    '*/*',
    '',
    'application/*',
    'application/json;q=0.9, text/plain',
    'text/event-stream;q=0, */*',
  ])('%j is answered with plain JSON, also for a bare call', async (accept) => {
    const response = await post(request('tools/call', { name: 'who_am_i' }, 7), { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      result: { structuredContent: expect.any(Object) },
    });
  });

  test('without JSON, or with a stream, is answered with a stream', async () => {
    for (const accept of ['text/event-stream', usual, 'text/event-stream, */*'])
      expect((await post(request('tools/list'), { accept })).headers.get('content-type')).toMatch(
        /^text\/event-stream/,
      );
    expect((await post(request('tools/list'), { accept: 'text/html' })).status).toBe(406);
  });

  test('for JSON gets initialize, errors, notices and several messages in their forms', async () => {
    const accept = 'application/json';
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const begun = (await (await post(request('initialize', params), { accept })).json()) as Message;
    expect(begun.result).toMatchObject({ serverInfo: { name: 'thalamus' } });
    const unknown = (await (await post(request('tools/call', { name: 'no_such_tool' }), { accept })).json()) as Message;
    expect(unknown.error?.message).toMatch(/Unknown tool/);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { accept })).status).toBe(202);
    const both = [request('ping', undefined, 1), request('tools/call', { name: 'who_am_i', arguments: null }, 2)];
    const answers = (await (await post(both, { accept })).json()) as Message[];
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    const withProgress = request('tools/call', { name: 'who_am_i', _meta: { progressToken: 1 } });
    expect(await (await post(withProgress, { accept })).json()).toHaveProperty('result');
  });
});

describe('a bare client of another system', () => {
  const callForText = async (name: string, input: object, accept = 'application/json') => {
    const response = await post(request('tools/call', { name, arguments: input }), { accept });
    const { result } = (await response.json()) as {
      result: { content: { text: string }[]; structuredContent: object };
    };
    return { text: JSON.parse(result.content[0]?.text ?? '') as Record<string, unknown>, structured: result };
  };

  test('reads hits of a search as `results`, beside the fields of the operation', async () => {
    await call('create_page', { title: 'Tide table', body: 'High water at nine.', type: 'document' });
    const { text, structured } = await callForText('search', { query: 'tide table' });
    expect(text['results']).toMatchObject([{ title: 'Tide table', snippet: 'High water at nine.' }]);
    expect(text['pages']).toMatchObject([{ title: 'Tide table' }]);
    expect(structured.structuredContent).not.toHaveProperty('results');
  });

  test('reads events as `results`, which may be none', async () => {
    const { text } = await callForText('list_calendar_events', { start: '2026-03-01', end: '2026-03-02' });
    expect(text).toMatchObject({ events: [], results: [] });
  });

  test('that reads a stream gets the fields of the operation alone', async () => {
    const response = await post(request('tools/call', { name: 'search', arguments: { q: 'tide' } }));
    expect(await response.text()).not.toContain('results');
  });
});

describe('toolsets', () => {
  test('narrow the list alone: a tool of another toolset is called by its name, and by its short name', async () => {
    const client = await connectMcp(`${server.url}/mcp?toolsets=memory`, server.key);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('create_brain');
    const made = await client.callTool({ name: 'create_brain', arguments: { name: 'By name' } });
    await client.close();
    expect(made).toMatchObject({ structuredContent: { name: 'By name Brain' } });
    const operation = [...(await describeProduct()).values()].find(({ shortNames }) => shortNames?.length);
    expect((await call(operation?.shortNames?.[0] ?? '', {})).error).toBeUndefined();
  });

  test('grant no permission: scopes, roles, reach and rules refuse by name what they refuse through manage', async () => {
    const { brain_id: foreign } = await server.ok('create_brain', { name: 'Foreign' });
    const { brain_id: own } = await server.ok('create_brain', { name: 'Own' });
    const { key } = await server.ok('create_key', { label: 'agent', home_brain_id: own, reach: 'brain' });
    const { version } = await server.ok('get_policy');
    await server.ok('set_policy', { version, rules: [{ effect: 'block', sources: ['http'], callers: ['agents'] }] });
    const refused: [name: string, input: Record<string, unknown>, code: string][] = [
      ['delete_brain', { brain_id: own, confirm: 'Own Brain' }, 'forbidden'],
      ['update_brain', { brain_id: own, name: 'Mine' }, 'forbidden'],
      ['http_fetch', { url: 'https://example.com/x' }, 'forbidden'],
      ['brain_overview', { brain_id: foreign }, 'not_found'],
      ['confirm_action', { draft_id: foreign }, 'not_found'],
      ['automation_secret_set', {}, 'invalid_input'],
    ];
    for (const [name, input, code] of refused) {
      const options = { key: String(key), path: '/mcp?toolsets=memory' };
      const [named, managed] = [
        await call(name, input, options),
        await call('manage', { action: name, ...input }, options),
      ];
      expect({ name, code: managed.body['code'] }).toEqual({ name, code });
      expect({ ...named.body, request_id: '' }).toEqual({ ...managed.body, request_id: '' });
    }
    for (const [action, input] of [
      ['create_key', { label: 'more' }],
      ['set_policy', { version: 0, rules: [] }],
    ] as const) {
      const hidden = await call(action, input, { key: String(key), path: '/mcp?toolsets=all' });
      expect(hidden.error?.message).toMatch(`Unknown tool: ${action}`);
      expect(await call('manage', { action, ...input }, { key: String(key) })).toMatchObject({
        body: { code: 'forbidden' },
      });
    }
  });
});
