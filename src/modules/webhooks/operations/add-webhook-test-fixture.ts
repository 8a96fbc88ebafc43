import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { blankSignatures } from '#kernel/signature-headers';
import { z } from 'zod';
import { toStorableText } from '#platform/database';
import { webhookConnectorId, webhookEventId } from '../ids.ts';
import { listSignatureHeaders } from '../signature-headers.ts';
import { lockConnector } from '../store/connectors.ts';
import { findEvent } from '../store/events.ts';
import { insertFixture, measureFixtures } from '../store/fixtures.ts';

const texts = z
  .record(z.string().min(1).max(200), z.string().max(4_000))
  .refine((fields) => Object.keys(fields).length <= 100, 'at most 100 fields');
const mostFixtures = 100;
/** For all bodies together, because lists and activations read all of them. */
const mostBytes = 20_000_000;

export const addWebhookTestFixture = defineOperation({
  name: 'add_webhook_test_fixture',
  shortNames: ['add_test_fixture'],
  summary:
    'Store a payload as a fixture, with the result that the translator should produce. All fixtures must pass before activation.',
  toolset: 'webhooks',
  effect: 'write',
  access: { scope: 'connectors:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/fixtures' }],
  aliases: {
    connector_id: 'webhook_connector_id',
    name: 'fixture_name',
    raw_body: 'fixture_raw_body',
    expected_outcome: 'fixture_expected_outcome',
  },
  maxBodyBytes: 6_000_000,
  input: z.strictObject({
    webhook_connector_id: webhookConnectorId,
    fixture_name: z.string().trim().min(1).max(120),
    fixture_raw_body: z.string().max(5_000_000).optional().describe('The payload; or pass webhook_event_id.'),
    webhook_event_id: webhookEventId.optional().describe('A stored event: its body, headers and parameters are used.'),
    fixture_expected_outcome: z.enum(['ingest', 'drop']),
    fixture_headers: texts.optional(),
    fixture_query: texts.optional(),
  }),
  output: z.object({ fixture_id: z.uuid(), fixture_name: z.string(), next_step_for_ai: z.string() }),
  errors: ['not_found', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'A stored event',
      input: {
        webhook_connector_id: createExampleId('webhook_connector'),
        fixture_name: 'Issue opened',
        fixture_raw_body: '{"id": 17, "text": "The lantern is broken"}',
        fixture_expected_outcome: 'ingest',
      },
    },
  ],
  async run(ctx, { webhook_connector_id, fixture_name, fixture_raw_body, webhook_event_id, ...more }) {
    await lockConnector(ctx.db, webhook_connector_id);
    const event = webhook_event_id ? await findEvent(ctx.db, webhook_event_id) : undefined;
    const raw = fixture_raw_body ?? event?.body?.toString();
    if (raw === undefined || (event && event.connector_id !== webhook_connector_id))
      throw new AppError(
        'invalid_input',
        'Pass fixture_raw_body, or the webhook_event_id of an event of this connector.',
      );
    const { count, bytes } = await measureFixtures(ctx.db, webhook_connector_id);
    if (count >= mostFixtures)
      throw new AppError('conflict', `A connector has at most ${mostFixtures} fixtures. Delete one first.`);
    if (bytes + Buffer.byteLength(raw) > mostBytes)
      throw new AppError('conflict', `The fixtures of a connector have at most ${mostBytes} bytes. Delete one first.`);
    const id = ctx.newId();
    const signed = await listSignatureHeaders(ctx.db, webhook_connector_id);
    const isNew = await insertFixture(ctx.db, {
      id,
      workspace_id: ctx.caller.workspaceId,
      connector_id: webhook_connector_id,
      name: fixture_name,
      raw_body: toStorableText(raw),
      headers: blankSignatures({ ...event?.headers, ...lowerCase(more.fixture_headers ?? {}) }, signed),
      query: blankSignatures(more.fixture_query ?? event?.query ?? {}),
      expected_outcome: more.fixture_expected_outcome,
      last_test_passed_at: null,
      created_at: ctx.now,
    });
    if (!isNew) throw new AppError('conflict', `There is already a fixture "${fixture_name}". Choose another name.`);
    const next_step_for_ai = 'Call test_webhook_translator with this fixture_id.';
    return { fixture_id: id, fixture_name, next_step_for_ai };
  },
});

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
