// What a server exports with OTEL_* set: spans by the semantic conventions, in one trace, with nothing of what was said.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listFigureComplaints } from '../../src/platform/telemetry/figure-rules.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startSmallService, type SmallService } from '../support/small-service.ts';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type ExportedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number; message?: string };
};
type TraceExport = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ExportedSpan[] }[] }[];
};
type Span = Omit<ExportedSpan, 'attributes'> & { of: Record<string, string | number | undefined> };

const [server, internal, client, consumer] = [2, 1, 3, 5];
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const storing = traceparent.replace('4bf92f', 'aaaaaa');

let collector: SmallService;
let outside: SmallService;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let running: ServerProcess;
let figures: string;
const listSpans = () =>
  collector.asked.flatMap(({ body }) =>
    (JSON.parse(body) as TraceExport).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) =>
        scope.spans.map(({ attributes, ...span }) => ({ ...span, of: toRecord(attributes) })),
      ),
    ),
  );
const toRecord = (attributes: Attribute[]): Span['of'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
const listSpansNamed = (name: string) => listSpans().filter((span) => span.name === name);
const findParent = ({ parentSpanId }: Span) => listSpans().find(({ spanId }) => spanId === parentSpanId);

const listDeliveries = () => outside.asked.filter(({ path }) => path === '/hook-confidential');

beforeAll(async () => {
  collector = await startSmallService(() => ({ body: {} }));
  outside = await startSmallService(({ path, body }) =>
    path.endsWith('/chat/completions')
      ? { body: completion }
      : path.endsWith('/embeddings')
        ? { body: embed(body) }
        : { status: path.includes('missing') ? 404 : 200, body: { ok: true } },
  );
  database = await createTestDatabase();
  running = await startServerProcess(
    {
      ...buildServerSettings(database.connectionString),
      THALAMUS_EGRESS_ALLOW: outside.url,
      THALAMUS_LLM_BASE_URL: `${outside.url}/v1`,
      THALAMUS_LLM_MODEL: 'llama3.1',
      THALAMUS_EMBEDDINGS_BASE_URL: `${outside.url}/v1`,
      THALAMUS_EMBEDDINGS_MODEL: 'bge-m3',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
    },
    `cm_${'otelkey0'.repeat(5)}`,
  );
  await use(running);
  figures = await (await running.request('/metrics')).text();
  await running.stop();
}, 120_000);
afterAll(async () => {
  await running?.kill();
  await collector.close();
  await outside.close();
  await database.drop();
});

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'llama3.1',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ready' } }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

const embed = (body: string) => ({
  data: [(JSON.parse(body) as { input: string[] }).input].flat().map((_, index) => ({ index, embedding: [0.6, 0.8] })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
});

/** One of each kind of work. */
async function use(asked: ServerProcess): Promise<void> {
  await asked.call('search_memory', { q: 'confidential words' }, { headers: { traceparent, baggage: 'secret=1' } });
  await asked.call('get_page', { id: '01920000-0000-7000-8000-00000000dead' }, { headers: { traceparent } });
  await asked.ok('check_llm');
  const mcp = await connectMcp(`${asked.url}/mcp?toolsets=all`, asked.key);
  await mcp.callTool({ name: 'search_memory', arguments: { q: 'confidential words' } });
  await mcp.callTool({ name: 'search_memory', arguments: { q: '' } });
  await mcp.close();
  const destination = { output_destination_kind: 'webhook', name: 'Own' };
  const ids: string[] = [];
  for (const path of ['/hook-confidential', '/missing']) {
    const made = await asked.ok('register_output_destination', {
      ...destination,
      name: path,
      url: `${outside.url}${path}`,
    });
    ids.push(made.output_destination_id);
    await asked.ok('test_output_destination', { output_destination_id: made.output_destination_id });
  }
  const { brain_id } = await asked.ok('create_brain', { name: 'Harbour' });
  const route = { output_source_kind: 'brain', output_source_brain_id: brain_id, output_destination_id: ids[0] };
  await asked.ok('attach_output_route', route);
  const memory = { content: 'confidential crane', target_brain_id: brain_id };
  await asked.call('add_memory', memory, { headers: { traceparent: storing } });
  await vi.waitUntil(() => listDeliveries().length > 1, { timeout: 20_000, interval: 50 });
  const { automation_id } = await asked.ok('save_automation_draft', {
    name: 'Failing',
    source: 'await brains.search_memory({ q: "x" }); throw new TypeError("confidential")',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory' }],
  });
  const { run_id } = await asked.ok('run_automation_once', { automation_id, dry_run: true });
  const isFailed = async () => (await asked.ok('get_automation_run', { run_id })).status === 'failed';
  await vi.waitUntil(isFailed, { timeout: 60_000, interval: 100 });
}

test('a request continues the trace of its caller, and its operation is a child', () => {
  const [request] = listSpansNamed('POST /v1/tools/search_memory');
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: server });
  expect(request?.of).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/tools/search_memory',
    'http.response.status_code': 200,
    'url.scheme': 'http',
  });
  const operation = listSpansNamed('search_memory').find((span) => span.traceId === traceId);
  expect(operation).toMatchObject({ kind: internal, parentSpanId: request?.spanId });
});

test('a refusal is not an error of the server', () => {
  const [request] = listSpansNamed('POST /v1/tools/get_page');
  expect(request?.of['http.response.status_code']).toBe(404);
  const [operation] = listSpansNamed('get_page');
  expect(operation?.of['thalamus.outcome']).toBe('not_found');
  for (const span of [request, operation]) {
    expect(span?.status.code ?? 0).toBe(0);
    expect(span?.of).not.toHaveProperty('error.type');
  }
});

test('a call of a tool is a span by the conventions for MCP, between its request and its operation', () => {
  const [call, refused] = listSpansNamed('tools/call search_memory');
  expect(call).toMatchObject({ kind: server });
  expect(call?.of).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'search_memory',
    'gen_ai.operation.name': 'execute_tool',
  });
  expect(call && findParent(call)?.name).toBe('POST /mcp');
  expect(listSpansNamed('search_memory').some(({ parentSpanId }) => parentSpanId === call?.spanId)).toBe(true);
  expect(refused?.of['thalamus.outcome']).toBe('invalid_input');
  expect(refused?.status.code ?? 0).toBe(0);
});

test('a request to another service passes the trace on, and its span tells no path', () => {
  const sent = outside.asked.find(({ path }) => path === '/hook-confidential');
  const [, trace, parent] = String(sent?.headers['traceparent']).split('-');
  const span = listSpans().find(({ spanId }) => spanId === parent);
  expect(span).toMatchObject({ traceId: trace, name: 'POST', kind: client });
  expect(span?.of).toMatchObject({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
    'url.full': `${outside.url}/REDACTED`,
  });
  const missing = listSpans().find((each) => each.kind === client && each.of['http.response.status_code'] === 404);
  expect(missing).toMatchObject({ status: { code: 2 } });
  expect(missing?.of['error.type']).toBe('404');
  for (const { headers } of outside.asked) expect(headers).not.toHaveProperty('baggage');
});

test('a question to a model is a span by the conventions for generative AI, with its tokens', () => {
  const [asked] = listSpansNamed('chat llama3.1');
  expect(asked).toMatchObject({ kind: client });
  expect(asked?.of).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': 'llama3.1',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
  });
  expect(asked && findParent(asked)?.name).toBe('check_llm');
  const [request] = listSpans().filter(({ parentSpanId, kind }) => parentSpanId === asked?.spanId && kind === client);
  expect(request?.name).toBe('POST');
});

test('texts that a model embeds are a span by the conventions for generative AI, with their tokens and no text', () => {
  const [asked] = listSpansNamed('embeddings bge-m3');
  expect(asked).toMatchObject({ kind: client });
  expect(asked?.of).toEqual({
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': 'bge-m3',
    'gen_ai.usage.input_tokens': 7,
  });
  const [request] = listSpans().filter(({ parentSpanId, kind }) => parentSpanId === asked?.spanId && kind === client);
  expect(request?.name).toBe('POST');
});

test('a run of an automation is a span with its calls, and code that fails is an error', () => {
  const [run] = listSpansNamed('run automation');
  expect(run).toMatchObject({ kind: internal, status: { code: 2 } });
  expect(run?.of).toMatchObject({ 'thalamus.run.trigger': 'manual', 'error.type': 'TypeError' });
  expect(listSpansNamed('search_memory').some(({ parentSpanId }) => parentSpanId === run?.spanId)).toBe(true);
});

test('a job continues the trace in which it was enqueued, and a delivery is a span with its request', () => {
  const job = listSpans().find(({ kind, traceId: of }) => kind === consumer && of === storing.split('-')[1]);
  expect(job?.name).toMatch(/^process /);
  expect(job?.of).toMatchObject({ 'messaging.system': 'pg_boss', 'messaging.operation.type': 'process' });
  expect(job && findParent(job)?.name).toBe('add_memory');
  const [delivery] = listSpansNamed('deliver');
  const [request] = listSpans().filter(({ parentSpanId }) => parentSpanId === delivery?.spanId);
  expect(request).toMatchObject({ name: 'POST', kind: client });
  expect(String(listDeliveries()[1]?.headers['traceparent'])).toContain(request?.spanId);
});

test('the resource names the service and its version', () => {
  const { resourceSpans } = JSON.parse(collector.asked[0]?.body ?? '') as TraceExport;
  const of = toRecord(resourceSpans[0]?.resource.attributes ?? []);
  expect(of).toMatchObject({
    'service.name': 'thalamus',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    'deployment.environment.name': 'test bed',
  });
});

test('nothing that was said is exported', () => {
  const all = collector.asked.map(({ body }) => body).join('\n');
  expect(all).not.toMatch(/confidential|secret=1|otelkey0/);
});

test('the metrics of a server in use are as Prometheus wants them', () => {
  expect(listFigureComplaints(figures)).toEqual([]);
  for (const figure of [
    'thalamus_build_info{version="',
    'thalamus_queue_depth{queue="',
    'thalamus_webhook_events_waiting 0',
    'thalamus_output_deliveries_waiting{destination_state="paused"} 0',
    'thalamus_automation_runs_open{state="queued"} 0',
    'thalamus_egress_request_seconds_count{outcome="2xx"}',
    'thalamus_egress_request_seconds_count{outcome="4xx"}',
    'thalamus_automation_runs_total{trigger="manual",outcome="failed"} 1',
    'thalamus_model_tokens_total{provider="openai-compatible",model="llama3.1",kind="input"} 12',
    'thalamus_model_cost_usd_total{provider="openai-compatible",model="llama3.1"} 0',
  ])
    expect(figures).toContain(figure);
});
