import { AppError } from '#kernel/errors';
import { defineOperation, type Operation } from '#kernel/operation';
import { createLog } from '#platform/log';
import type { Client } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { HTTPException } from 'hono/http-exception';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { callByName } from '../../cli/client.ts';
import { ServerError } from '../../cli/failure.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** What must not be seen outside, wherever a thrown value holds it. */
const marker = 'hunter2';
const secretKey = `cm_${'SecretSecret'.repeat(3)}`;
const path = '/srv/thalamus/src/vault.ts';

/** Throws what the running test says, at the moment it says. */
let createThrownValue: () => unknown = () => new Error('nothing was said');

function createFixture(name: string, when: 'run' | 'rejected' | 'afterCommit'): Operation {
  const fail = () => {
    throw createThrownValue();
  };
  return defineOperation({
    name,
    summary: 'A fixture that fails as it is told.',
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'memory:write' },
    input: z.strictObject({}),
    output: z.object({ ok: z.boolean() }),
    errors: [],
    examples: [{ title: 'Any', input: {} }],
    async run(): Promise<{ ok: boolean }> {
      if (when === 'run') fail();
      if (when === 'rejected') await Promise.reject(createThrownValue());
      return { ok: true };
    },
    ...(when === 'afterCommit' && { afterCommit: async () => fail() as never }),
  });
}

const names = ['throw_in_run', 'reject_in_run', 'throw_in_settle'] as const;
const operations = [
  createFixture(names[0], 'run'),
  createFixture(names[1], 'rejected'),
  createFixture(names[2], 'afterCommit'),
];
const logged: string[] = [];
let server: TestServer;
let mcp: Client;

beforeAll(async () => {
  const log = createLog('error', { write: (line) => void logged.push(line) });
  server = await startTestServer({}, { operations, log });
  mcp = await connectMcp(`${server.url}/mcp`, server.key);
});
afterAll(async () => {
  await mcp.close();
  await server.close();
});

function withGetter(value: object, property: string): object {
  return Object.defineProperty(value, property, {
    enumerable: true,
    get() {
      throw new Error(`${marker} of the getter ${property}`);
    },
  });
}

function createCircularError(): Error {
  const error = new Error(marker);
  error.cause = { error, path };
  return error;
}

function createRevokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const text = fc.oneof(
  fc.constantFrom(marker, `${path}:12`, secretKey, `Authorization: Bearer ${secretKey}`, '{"code":"not_found"}'),
  fc.string().map((other) => `${marker}${other}`),
);

/** Values of every shape that code can throw. */
const value: fc.Arbitrary<() => unknown> = fc.oneof(
  text.map((message) => () => new Error(message)),
  text.map(
    (message) => () =>
      new TypeError(message, { cause: new Error(message, { cause: new AppError('not_found', message) }) }),
  ),
  text.map((message) => () => new AggregateError([new Error(message), message], message)),
  text.map(
    (message) => () => Object.assign(new Error(message), { code: 'not_found', status: 200, details: { message } }),
  ),
  text.map((message) => () => Object.assign(new Error(message), { name: 'AppError', statusCode: 404, expose: true })),
  text.map((message) => () => new HTTPException(418, { message, res: new Response(message) })),
  text.map((message) => () => ({ code: 'forbidden', message, toJSON: () => message, toString: () => message })),
  text.map((message) => () => new Response(message, { status: 200 })),
  text.map((message) => () => message),
  text.map((message) => () => Promise.reject(new Error(message)).catch((error: unknown) => error)),
  fc
    .constantFrom('message', 'stack', 'cause', 'name', 'code')
    .map((property) => () => withGetter(new Error(marker), property)),
  fc.constantFrom('message', 'then', 'toJSON').map((property) => () => withGetter({ marker }, property)),
  fc.constant(createCircularError),
  fc.constant(createRevokedProxy),
  fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true }).map((any) => () => any),
);

const detail = /^Something went wrong on the server\. Give its operator the request id ([0-9a-f-]{36})\.$/;

/** Exactly one log line is about the request, and none contains the key. */
function expectLoggedOnce(requestId: string): void {
  expect(logged.filter((line) => line.includes(requestId))).toHaveLength(1);
  expect(logged.join('\n')).not.toContain(secretKey);
  logged.length = 0;
}

test('REST answers a bug with only a request id, and logs it once', async () => {
  const property = fc.asyncProperty(value, fc.constantFrom(...names), async (throwIt, name) => {
    createThrownValue = throwIt;
    const { status, body, headers } = await server.call(name);
    const request_id = headers.get('x-request-id');
    expect(status).toBe(500);
    expect(body).toEqual({
      type: 'urn:thalamus:error:internal',
      title: 'internal',
      status: 500,
      detail: expect.stringMatching(detail),
      code: 'internal',
      request_id,
    });
    expect([...headers].join('\n')).not.toContain(marker);
    expectLoggedOnce(String(request_id));
  });
  await fc.assert(property, { numRuns: 150 });
  const metrics = await (await server.request('/metrics')).text();
  const outcomes = [...metrics.matchAll(/calls_total\{operation="(?:throw|reject)_in_\w+",outcome="([^"]*)"/g)];
  expect(new Set(outcomes.map(([, outcome]) => outcome))).toEqual(new Set(['internal']));
});

test('MCP answers a bug with only a request id, and logs it once', async () => {
  const property = fc.asyncProperty(value, fc.constantFrom(...names), async (throwIt, name) => {
    createThrownValue = throwIt;
    const { isError, structuredContent, content } = await mcp.callTool({ name, arguments: {} });
    const { request_id } = structuredContent as { request_id: string };
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      code: 'internal',
      message: expect.stringMatching(detail),
      details: {},
      request_id,
    });
    const facts = JSON.stringify({ code: 'internal', details: {}, request_id });
    expect(content).toEqual([
      { type: 'text', text: `${(structuredContent as { message: string }).message}\n\n${facts}` },
    ]);
    expectLoggedOnce(request_id);
  });
  await fc.assert(property, { numRuns: 60 });
});

test('the command line shows a bug as a request id alone', async () => {
  const property = fc.asyncProperty(value, fc.constantFrom(...names), async (throwIt, name) => {
    createThrownValue = throwIt;
    const thrown = await callByName(server, name, {}).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ServerError);
    expect(thrown).toMatchObject({ code: 'internal', message: expect.stringMatching(detail), details: undefined });
    logged.length = 0;
  });
  await fc.assert(property, { numRuns: 40 });
});

test('the answer to our own errors has the message and the details, and never the cause', async () => {
  const cause = new Error(marker, { cause: `${secretKey} in ${path}` });
  createThrownValue = () =>
    new AppError('upstream_failed', 'The provider is down. Try again later.', { retry_after: 7 }, { cause });
  for (const name of names) {
    const { status, body, headers } = await server.call(name);
    expect(status).toBe(502);
    expect(body).toMatchObject({ code: 'upstream_failed', detail: 'The provider is down. Try again later.' });
    expect(body['details']).toEqual({ retry_after: 7 });
    expect(headers.get('retry-after')).toBe('7');
    const result = await mcp.callTool({ name, arguments: {} });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'upstream_failed' } });
    for (const answerText of [JSON.stringify(body), JSON.stringify(result)]) {
      expect(answerText).not.toMatch(/hunter2|SecretSecret|vault\.ts/);
    }
  }
  expect(logged).toEqual([]);
});

test('details that cannot be written as JSON are a bug like any other', async () => {
  createThrownValue = () => new AppError('conflict', `In the way: ${marker}`, { size: 1n, marker });
  const { status, body, headers } = await server.call(names[0]);
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain(marker);
  expectLoggedOnce(String(headers.get('x-request-id')));
});
