import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Operation, Route } from '#kernel/operation';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callByName } from '../../cli/client.ts';
import { ServerError } from '../../cli/failure.ts';
import { describeProduct } from '../../src/server.ts';
import { checkAnswer } from '../support/check-answer.ts';
import { selectByDepth } from '../support/depth.ts';
import type { TestServer } from '../support/server.ts';
import {
  browserOperations,
  codeOperations,
  consoleOperations,
  modelOperations,
  personOperations,
  openStage,
  play,
  type Credential,
  type Face,
  type Outcome,
  type Stage,
  waitingOperations,
} from '../support/transcript.ts';

const operations = [...(await describeProduct()).values()];
/** In the order of the catalogue, but rules last: they decide about the drafts of the other examples. */
const examples = operations
  .toSorted((one, other) => Number(one.name === 'set_policy') - Number(other.name === 'set_policy'))
  .flatMap((operation) =>
    operation.examples.map(({ title }, position) => ({ name: operation.name, title, operation, position })),
  );
type Example = (typeof examples)[number];

function buildHeaders(server: TestServer, as: Credential): Record<string, string> {
  return 'key' in as ? { authorization: `Bearer ${as.key}` } : as.headers;
}

async function readOutcome(response: Response, { name }: Operation): Promise<Outcome> {
  const body = (await response.json()) as Record<string, unknown>; // an answer or a problem; both are objects
  if (response.ok) checkAnswer(name, body);
  return response.ok ? { body } : { code: String(body['code']), message: String(body['detail']) };
}

const toolRoute: Face = {
  name: 'the tool route',
  takesCookies: true,
  call: async (server, operation, input, as) =>
    readOutcome(await request(server, getToolRoute(operation), input, as), operation),
};

const documentedRoute: Face = {
  name: 'the documented route',
  takesCookies: true,
  call: async (server, operation, input, as) =>
    readOutcome(
      await request(server, listRoutesWithInput(operation, input)[0] ?? getToolRoute(operation), input, as),
      operation,
    ),
};

const mcp: Face = {
  name: 'MCP',
  takesCookies: true,
  async call(server, operation, input, as) {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: buildHeaders(server, as) };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?toolsets=all`), { requestInit }));
    const { isError, structuredContent, content } = await client.callTool({ name: operation.name, arguments: input });
    await client.close();
    const error = structuredContent as { code: string; message: string };
    if (isError) return { code: error.code, message: error.message };
    // A list is bare in the text; structured content has to be an object.
    const isList = operation.output.def.type === 'array';
    const body = isList ? (structuredContent as { items: unknown }).items : structuredContent;
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(body) }]);
    checkAnswer(operation.name, body);
    return { body };
  },
};

const commandLine: Face = {
  name: 'the command line',
  takesCookies: false,
  async call(server, operation, input) {
    try {
      return { body: await callByName({ url: server.url, key: server.key }, operation.name, input) };
    } catch (error) {
      if (error instanceof ServerError) return { code: error.code, message: error.message };
      throw error;
    }
  },
};

function getToolRoute(operation: Operation): Route {
  return { method: 'POST', path: `/v1/tools/${operation.name}` };
}

/** The documented routes that can carry this input: those whose path the input fills. */
function listRoutesWithInput(operation: Operation, input: Record<string, unknown>): Route[] {
  const isFilled = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in input);
  return (operation.rest ?? []).filter(isFilled);
}

/** Sends an input the way OpenAPI describes: path, then query or body. */
function request(server: TestServer, { method, path }: Route, input: Record<string, unknown>, as: Credential) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const headers = buildHeaders(server, as);
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams(Object.fromEntries(rest.map(([name, value]) => [name, String(value)])));
    return server.request(`${filled}?${query}`, { method, headers });
  }
  const body = JSON.stringify(Object.fromEntries(rest));
  return server.request(filled, { method, headers: { ...headers, 'content-type': 'application/json' }, body });
}

// An operation without a route of its own is called by its tool route.
const faces = selectByDepth([toolRoute, documentedRoute, mcp, commandLine], [documentedRoute, mcp]);
const [reference = toolRoute] = faces;
const played = new Map<string, unknown>();
const formatExampleKey = (face: Face, { name, position }: Example) => `${face.name} ${name} ${position}`;
let stage: Stage;

beforeAll(async () => {
  const stages = await Promise.all(faces.map(() => openStage()));
  await Promise.all(
    stages.map(async (each, index) => {
      const face = faces[index] ?? reference;
      for (const example of examples) {
        played.set(formatExampleKey(face, example), await play(each, face, example.operation, example.position));
      }
    }),
  );
  const [first, ...others] = stages;
  if (!first) throw new Error('there is no stage');
  stage = first;
  await Promise.all(others.map((other) => other.close()));
}, 300_000); // every example, on every face
afterAll(() => stage.close());

test.for(examples)('$name, «$title», runs and returns the same on every face', (example) => {
  const answer = played.get(formatExampleKey(reference, example));
  if (personOperations.includes(example.name)) expect(answer).toMatchObject({ code: 'approval_required' });
  else if ([...codeOperations, ...consoleOperations].includes(example.name))
    expect(answer).toMatchObject({ code: 'forbidden' });
  else if (waitingOperations.includes(example.name)) expect(answer).toMatchObject({ code: 'conflict' });
  else if (modelOperations.includes(example.name)) expect(answer).toMatchObject({ code: 'unavailable' });
  else expect(answer).toHaveProperty('body');
  for (const face of faces) {
    if (browserOperations.includes(example.name) && !face.takesCookies) continue;
    expect(played.get(formatExampleKey(face, example)), face.name).toEqual(answer);
  }
});

const reads = examples.filter(({ operation }) => operation.effect === 'read');

test.for(reads)(
  '$name, «$title», gets the exact documented answer on every face and route',
  async ({ operation, position }) => {
    const { server, world } = stage;
    const as = { key: server.key };
    const input = await world.real(operation.examples[position]?.input ?? {});
    if (operation.name.endsWith('_ledger')) await waitUntilSealed();
    const answer = await toolRoute.call(server, operation, input, as);
    for (const face of [mcp, commandLine])
      expect(await face.call(server, operation, input, as), face.name).toEqual(answer);
    for (const route of listRoutesWithInput(operation, input)) {
      expect(await readOutcome(await request(server, route, input, as), operation), route.path).toEqual(answer);
    }
  },
);

/** The number of sealed entries depends on the time, until all are sealed. */
async function waitUntilSealed(): Promise<void> {
  const left = async () => (await stage.server.ok('verify_ledger'))['unsealed_rows'];
  await expect.poll(left).toBe(0);
}

test('a page is the same by its slug and by its id', async () => {
  const { server, world } = stage;
  const page = await server.ok('get_page', { id: await world.make('page') });
  const response = await server.request(`/v1/pages/${String(page['slug'])}`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  expect(await response.json()).toEqual(page);
});

const mistakes: [operation: string, input: Record<string, unknown>, code: string][] = [
  ['add_memory', { content: 'x', colour: 'red' }, 'invalid_input'],
  ['list_memories', { limit: 1_000 }, 'invalid_input'],
  ['revoke_key', { key_id: '01920000-0000-7000-8000-000000000000' }, 'not_found'],
  ['start_oauth', { provider: 'google', source: 'gmail' }, 'forbidden'],
  ['finish_oauth', { code: 'x', state: 'y' }, 'conflict'],
];

test.for(mistakes)('%s with %j gets the same error on every face', async ([name, input, code]) => {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  const { server } = stage;
  const answer = await toolRoute.call(server, operation, input, { key: server.key });
  expect(answer).toMatchObject({ code });
  for (const face of faces)
    expect(await face.call(server, operation, input, { key: server.key }), face.name).toEqual(answer);
});

describe('thalamus call', () => {
  const run = promisify(execFile);
  const main = join(import.meta.dirname, '../../cli/main.ts');

  /** Spawns the command line as a shell does. */
  async function thalamus(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { url, key } = stage.server;
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], THALAMUS_URL: url, THALAMUS_KEY: key };
    try {
      return { code: 0, ...(await run(process.execPath, [main, 'call', ...words], { env })) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string }; // what execFile rejects with
    }
  }

  test('prints the server’s answer on one line', async () => {
    const answer = await stage.server.ok('list_memories', { type: 'decision', limit: 10 });
    const printed = await thalamus('list_memories', 'type=decision', 'limit=10', '--json');
    expect(printed).toMatchObject({ code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' });
  });

  test('accepts the whole input as JSON, and a key under which the answer is kept', async () => {
    const input = { memories: [{ content: 'Said on the command line', type: 'fact' }] };
    const key = 'said once';
    const words = ['add_memories_bulk', '--input', JSON.stringify(input), '--idempotency-key', key, '--json'];
    const { stdout } = await thalamus(...words);
    const again = await stage.server.call('add_memories_bulk', input, { headers: { 'idempotency-key': key } });
    expect(JSON.parse(stdout)).toEqual(again.body);
    expect(again.body).toMatchObject({ stored: 1, memories: [{ type: 'fact' }] });
  });

  test('reports an error on standard error, and by its exit code', async () => {
    const [invalid, missing] = await Promise.all([
      thalamus('list_memories', 'limit=0', '--json'),
      thalamus('revoke_key', 'key_id=01920000-0000-7000-8000-000000000000', '--json'),
    ]);
    expect(invalid).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^invalid_input: .*limit/) });
    expect(missing).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(/^not_found: No such key/) });
  });
});
