import { Client as McpClient } from '@modelcontextprotocol/client';
import { AppError } from '#kernel/errors';
import { defineOperation, type Choices } from '#kernel/operation';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectMcp, type Wire } from '../support/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// What the face does with any operation, shown by operations that do just that.
const sources = ['gmail', 'google_calendar', 'github'] as const;
let connected: string[] = [];

function createFixture(
  name: string,
  run: Parameters<typeof defineOperation>[0]['run'],
  choices?: () => Promise<Choices>,
) {
  return defineOperation({
    name,
    summary: `Fixture ${name}.`,
    toolset: 'integrations',
    effect: 'external_read',
    access: { scope: 'integrations:fetch' },
    input: z.strictObject({ source: z.enum(sources).optional(), sources: z.array(z.enum(sources)).optional() }),
    output: z.object({ text: z.string() }),
    errors: [],
    examples: [{ title: 'Any', input: {} }],
    ...(choices && { choices }),
    run: async (ctx, input) => run(ctx, input) as Promise<{ text: string }>,
  });
}

const operations = [
  createFixture(
    'fetch_fixture',
    async (_ctx, input) => ({ text: JSON.stringify(input) }),
    async () => ({ source: connected, sources: connected }),
  ),
  createFixture('slow_fixture', async (ctx) => {
    for (const done of [1, 2, 3]) ctx.progress(done, 3, `step ${done}`);
    return { text: 'done' };
  }),
  createFixture('broken_fixture', async () => {
    throw new Error('the password is hunter2');
  }),
  createFixture('refusing_fixture', async () => {
    throw new AppError('approval_required', 'A person has to decide.', { link: 'https://example.com/inbox' });
  }),
];

const logged: string[] = [];
let server: TestServer;

beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  server = await startTestServer({}, { operations, log });
});
afterAll(() => server.close());

const wires: Wire[] = ['2026-07-28', '2025-11-25', '2024-11-05 (HTTP+SSE)'];

async function withClient<T>(wire: Wire, work: (client: McpClient) => Promise<T>, query = ''): Promise<T> {
  const client = await connectMcp(`${server.url}/${wire.startsWith('2024') ? 'sse' : 'mcp'}${query}`, server.key, wire);
  return work(client).finally(() => client.close());
}

async function fetchTool() {
  const { tools } = await withClient('2026-07-28', (client) => client.listTools());
  const tool = tools.find(({ name }) => name === 'fetch_fixture');
  return { ...tool, properties: tool?.inputSchema.properties as Record<string, Record<string, unknown>> };
}

describe('the choices of an operation', () => {
  test('are those that the caller has at the moment', async () => {
    connected = ['gmail', 'github'];
    const { properties, description } = await fetchTool();
    expect(properties['source']).toMatchObject({ type: 'string', enum: ['gmail', 'github'] });
    expect(properties['sources']).toMatchObject({ type: 'array', items: { enum: ['gmail', 'github'] } });
    expect(description).toBe('Fixture fetch_fixture.');
    connected = ['github'];
    expect((await fetchTool()).properties['source']).toMatchObject({ enum: ['github'] });
  });

  test('are left out when there are none, and the tool names the place to connect', async () => {
    connected = [];
    const { properties, description } = await fetchTool();
    expect(properties['source']).not.toHaveProperty('enum');
    expect(description).toMatch(/connected.*\/integrations/);
  });

  test('narrow the published schema, but not the accepted input or OpenAPI', async () => {
    connected = ['github'];
    const input = { source: 'gmail' };
    const call = (client: McpClient) => client.callTool({ name: 'fetch_fixture', arguments: input });
    expect((await withClient('2026-07-28', call)).structuredContent).toEqual({ text: JSON.stringify(input) });
    const openApi = await (await server.request('/openapi.json')).text();
    expect(openApi).toContain(JSON.stringify({ type: 'string', enum: sources }));
  });
});

describe.for(wires)('on %s', (wire) => {
  test('progress reaches the client before the answer', async () => {
    const steps: unknown[] = [];
    const result = await withClient(wire, (client) =>
      client.callTool({ name: 'slow_fixture', arguments: {} }, { onprogress: (step) => void steps.push(step) }),
    );
    expect(steps).toEqual([1, 2, 3].map((done) => ({ progress: done, total: 3, message: `step ${done}` })));
    expect(result.structuredContent).toEqual({ text: 'done' });
  });

  test('a bug shows a request id and nothing else, and is logged once', async () => {
    logged.length = 0;
    const call = (client: McpClient) => client.callTool({ name: 'broken_fixture', arguments: {} });
    const result = await withClient(wire, call);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'internal', details: {} } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    const { request_id } = result.structuredContent as { request_id: string };
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(request_id);
    expect(logged[0]).toContain('hunter2');
  });

  // Clients of the v1 SDK hold errors against the schema, too.
  test('results and errors alike fit the schema that the tool publishes', async () => {
    await withClient(
      wire,
      async (client) => {
        const { tools } = await client.listTools();
        for (const name of ['slow_fixture', 'refusing_fixture', 'broken_fixture']) {
          const schema = tools.find((tool) => tool.name === name)?.outputSchema as z.core.JSONSchema.JSONSchema;
          const { structuredContent } = await client.callTool({ name, arguments: {} });
          expect(z.fromJSONSchema(schema).safeParse(structuredContent).error, name).toBeUndefined();
        }
      },
      '?schemas=full',
    );
  });

  test('the details of an error reach clients that read text only', async () => {
    const call = (client: McpClient) => client.callTool({ name: 'refusing_fixture', arguments: {} });
    const { content } = await withClient(wire, call);
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('https://example.com/inbox') }]);
  });
});
