// Figures of what waits: read from the rows of all workspaces, so each process tells the same.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listFigureComplaints } from '../../src/platform/telemetry/figure-rules.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let outside: HttpRecorder;
beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});

const readFigures = async () => (await server.request('/metrics')).text();
const readWaiting = async () =>
  Object.fromEntries(
    [...(await readFigures()).matchAll(/^thalamus_(\w+_(?:waiting|open))(?:\{\w+="(\w+)"\})? (\d+)$/gm)].map(
      ([, name = '', state = '', count]) => [`${name} ${state}`.trim(), Number(count)],
    ),
  );

test('the figures count deliveries, webhook events and runs that wait, and no items of a feed', async () => {
  expect(await readWaiting()).toEqual({
    'output_deliveries_waiting active': 0,
    'output_deliveries_waiting paused': 0,
    webhook_events_waiting: 0,
    'automation_runs_open queued': 0,
    'automation_runs_open running': 0,
  });
  const { brain_id } = await server.ok('create_brain', { name: 'Harbour' });
  for (const kind of ['webhook', 'feed'] as const) {
    const of = { name: kind, output_destination_kind: kind, ...(kind === 'webhook' && { url: `${outside.url}/in` }) };
    const { output_destination_id } = await server.ok('register_output_destination', of);
    if (kind === 'webhook') await server.ok('update_output_destination', { output_destination_id, status: 'paused' });
    const route = { output_source_kind: 'brain', output_source_brain_id: brain_id, output_destination_id };
    await server.ok('attach_output_route', route);
  }
  await server.ok('add_memory', { content: 'The crane is painted', target_brain_id: brain_id });

  const { connector_id, ingest_url } = await server.ok('create_webhook_connector', {
    name: 'Gauge',
    brain_id,
    signature_scheme: 'none',
    translator_code: 'function translate() { return { documents: [] }; }',
  });
  await database.rows(`update webhook_connectors set lease_until = now() + interval '1 day' where id = $1`, [
    connector_id,
  ]);
  for (const n of [1, 2])
    await server.request(new URL(ingest_url).pathname, { method: 'POST', body: JSON.stringify({ n }) });
  await database.rows(`update webhook_events set outcome = 'received', finished_at = null`);

  const { automation_id } = await server.ok('save_automation_draft', {
    name: 'Night',
    source: 'return 1',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory' }],
  });
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: true });
  const isDone = async () => (await server.ok('get_automation_run', { run_id })).status === 'succeeded';
  await vi.waitUntil(isDone, { timeout: 30_000, interval: 100 });
  await database.rows(`update automation_runs set status = 'queued', due_at = now() + interval '1 day'`);
  await vi.waitFor(
    async () =>
      expect(await readWaiting()).toEqual({
        'output_deliveries_waiting active': 0,
        'output_deliveries_waiting paused': 1,
        webhook_events_waiting: 2,
        'automation_runs_open queued': 1,
        'automation_runs_open running': 0,
      }),
    { timeout: 10_000, interval: 100 },
  );
  expect(listFigureComplaints(await readFigures())).toEqual([]);
});
