// While the database is away every face says so, and serves again by itself once it is back.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabaseDoor, type DatabaseDoor } from '../support/database-door.ts';
import { signIn, type Browser } from '../support/google.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'awaykey7'.repeat(5)}`;
let door: DatabaseDoor;
let server: ServerProcess;
let browser: Browser;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  door = await openDatabaseDoor(database.connectionString);
  server = await startServerProcess(
    {
      ...buildServerSettings(door.connectionString),
      THALAMUS_LOG_LEVEL: 'silent',
      THALAMUS_MAIL_URL: 'smtp://127.0.0.1:1',
      THALAMUS_MAIL_FROM: 'thalamus@example.com',
    },
    key,
  );
  browser = await signIn(server);
});
afterAll(async () => {
  await door.open();
  await server.stop();
  await door.close();
  await dropDatabase();
});
afterEach(() => door.open());

const json = { 'content-type': 'application/json' };
const asKey = { authorization: `Bearer ${key}` };
const id = randomUUID();
const post = (body: unknown, headers: object = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { ...json, ...headers },
});
const buildMcpRequest = (method: string, params: object) =>
  post({ jsonrpc: '2.0', id: 1, method, params }, { ...asKey, accept: 'application/json, text/event-stream' });
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** What needs the database, on every face. */
type DatabaseRequest = [name: string, path: string, request: RequestInit];
const asked: DatabaseRequest[] = [
  ['REST, reading', '/v1/tools/list_brains', post({}, asKey)],
  ['REST, writing', '/v1/tools/add_memory', post({ content: 'Away.' }, asKey)],
  ['REST, writing once', '/v1/tools/add_memory', post({ content: 'Away.' }, { ...asKey, 'idempotency-key': id })],
  ['REST, a route of its own', `/v1/actions/${id}`, { headers: asKey }],
  ['REST, with an unknown key', '/v1/tools/list_brains', post({}, { authorization: `Bearer cm_${'x'.repeat(40)}` })],
  ['MCP, a tool', '/mcp', buildMcpRequest('tools/call', { name: 'list_brains', arguments: {} })],
  ['MCP, a list', '/mcp', buildMcpRequest('tools/list', {})],
  ['MCP, the beginning', '/mcp', buildMcpRequest('initialize', initialize)],
  ['MCP over server-sent events', '/sse', { headers: { ...asKey, accept: 'text/event-stream' } }],
  ['events', '/v1/events', { headers: { ...asKey, accept: 'text/event-stream' } }],
  ['an attachment', `/v1/attachments/${id}/content`, { headers: asKey }],
  ['a file of a draft', `/v1/actions/${id}/files/0/content`, { headers: asKey }],
  ['ways to sign in', '/auth/methods', {}],
];

/** What a browser shows as a page. */
const pages: DatabaseRequest[] = [
  ['a link for a variable', `/set-variable/${'x'.repeat(43)}`, {}],
  ['a link for several', `/set-variables/${'x'.repeat(43)}`, {}],
  ['the callback of a consent', '/bundle-oauth-callback?state=abc&code=def', {}],
];

const buildConsoleInit = () => ({ headers: { ...browser.headers, 'sec-fetch-site': 'same-origin' } });

/** What the console asks for in the name of who signed in. */
const onTheConsole = (): DatabaseRequest[] => [
  ['a link by mail', '/auth/mail', post({ email: 'ada@example.com' }, buildConsoleInit().headers)],
  ['signing in', '/auth/sign-in', post({ token: `tl_${'x'.repeat(43)}` }, buildConsoleInit().headers)],
  ['console, what waits', '/v1/tools/list_pending_actions', post({}, buildConsoleInit().headers)],
  ['console, signing out', '/auth/sign-out', post({}, buildConsoleInit().headers)],
];

async function requestAnswer([name, path, init]: DatabaseRequest) {
  const response = await fetch(`${server.url}${path}`, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  if (status === 200) await response.body?.cancel(); // a stream would not end
  const text = status === 200 ? '' : await response.text();
  return { name, status, type: headers.get('content-type'), wait: headers.get('retry-after'), text };
}

test.each(['refused', 'cut', 'starting'] as const)(
  'while the database is unreachable (%s), calls that need it get 503 as a problem, with the time to retry',
  async (away) => {
    await door.shut(away);
    await sleep(1_100); // Who a key is was known for a second.
    const answers = await Promise.all([...asked, ...onTheConsole()].map(requestAnswer));
    const expected = {
      status: 503,
      type: 'application/problem+json',
      wait: expect.stringMatching(/^[1-9]\d*$/),
      text: expect.stringContaining('The database cannot be reached'),
    };
    expect(answers).toEqual(answers.map(({ name }) => ({ name, ...expected })));
    const shown = await Promise.all(
      [...pages, ['the playground', '/oauth-playground', buildConsoleInit()] as DatabaseRequest].map(requestAnswer),
    );
    const page = { ...expected, type: 'text/html; charset=UTF-8' };
    expect(shown).toEqual(shown.map(({ name }) => ({ name, ...page })));
    const back = await fetch(`${server.url}/api/oauth/callback?state=abc&code=def`, {
      ...buildConsoleInit(),
      redirect: 'manual',
    });
    expect(decodeURIComponent(back.headers.get('location') ?? '')).toContain('The database cannot be reached');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/`, { headers: { accept: 'text/html' } })).status).toBe(200);

    await door.open();
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.ok('list_brains')).toMatchObject({ brains: expect.any(Array) });
    expect(await browser.ok('list_brains')).toMatchObject({ brains: expect.any(Array) });
  },
);

test('calls that run while the database fails and recovers get 503 or their usual answer, and never 500', async () => {
  const seen = new Set<string>();
  const over = new AbortController();
  const calls: DatabaseRequest[] = [
    ['read', '/v1/tools/list_brains', post({}, asKey)],
    ['search', '/v1/tools/search_memory', post({ q: 'away' }, asKey)],
    ['write', '/v1/tools/add_memory', post({ content: 'Away and back.' }, asKey)],
    ['MCP', '/mcp', buildMcpRequest('tools/call', { name: 'add_memory', arguments: { content: 'Away and back.' } })],
    ['console', '/v1/tools/list_pending_actions', post({}, buildConsoleInit().headers)],
  ];
  const callers = [...calls, ...calls, ...calls].map(async ([name, path, request]) => {
    while (!over.signal.aborted) {
      const response = await fetch(`${server.url}${path}`, request);
      const text = await response.text();
      const isBug = text.includes('Something went wrong on the server');
      const isUsual = [200, 503].includes(response.status) && !isBug;
      seen.add(isUsual ? String(response.status) : `${name}: ${text.slice(0, 300)}`);
    }
  });
  for (const away of ['refused', 'cut', 'starting', 'cut', 'refused', 'starting'] as const) {
    await sleep(200);
    await door.shut(away);
    await sleep(150);
    await door.open();
  }
  await sleep(200);
  over.abort();
  await Promise.all(callers);
  expect([...seen].toSorted()).toEqual(['200', '503']);
}, 30_000);
