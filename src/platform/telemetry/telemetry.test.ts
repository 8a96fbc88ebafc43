import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { AppError } from '#kernel/errors';
import { settingsOn, startServerProcess } from '../../../tests/support/server-process.ts';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createTelemetry } from './index.ts';

test('calls are counted by operation and outcome', async () => {
  const { observe, metrics } = createTelemetry();
  await observe('search_memory', 'key', async () => 'found');
  await expect(
    observe('search_memory', 'key', async () => {
      throw new AppError('not_found', 'secret words');
    }),
  ).rejects.toThrow('secret words');
  const figures = await metrics();
  expect(figures).toContain('thalamus_calls_total{operation="search_memory",outcome="ok"} 1');
  expect(figures).toContain('thalamus_calls_total{operation="search_memory",outcome="not_found"} 1');
  expect(figures).not.toContain('secret words');
});

test(
  'with OTEL_* set, a call is exported as a span that contains nothing of its input',
  { timeout: 60_000 },
  async () => {
    const received: string[] = [];
    const collector = createServer(async (request: IncomingMessage, response) => {
      received.push(await text(request));
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const address = collector.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const database = await createTestDatabase();
    const settings = {
      ...settingsOn(database.connectionString),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    const server = await startServerProcess(settings, `cm_${'otelkey0'.repeat(5)}`);
    await server.ok('search_memory', { q: 'confidential words' });
    await server.stop();
    collector.close();
    await database.drop();
    expect(received.join('\n')).toContain('"name":"search_memory"');
    expect(received.join('\n')).not.toContain('confidential');
  },
);
