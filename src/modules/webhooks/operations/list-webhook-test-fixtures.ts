import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { webhookConnectorId } from '../ids.ts';
import { findConnector, findVersion } from '../store/connectors.ts';
import { listFixtures } from '../store/fixtures.ts';

export const listWebhookTestFixtures = defineOperation({
  name: 'list_webhook_test_fixtures',
  shortNames: ['list_test_fixtures'],
  summary: 'List the fixtures of a webhook connector, and which passed since its last change.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/webhook-connectors/{webhook_connector_id}/fixtures' }],
  aliases: { connector_id: 'webhook_connector_id' },
  input: z.strictObject({ webhook_connector_id: webhookConnectorId }),
  output: z.object({
    version: z.number().int(),
    fixtures: z.array(
      z.object({
        fixture_id: z.uuid(),
        fixture_name: z.string(),
        fixture_raw_body: z.string(),
        fixture_expected_outcome: z.enum(['ingest', 'drop']),
        is_pass_fresh: z.boolean().describe('It passed for the newest version.'),
        last_test_passed_at: z.iso.datetime().nullable(),
      }),
    ),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'All', input: { webhook_connector_id: createExampleId('webhook_connector') } }],
  async run(ctx, { webhook_connector_id }) {
    await checkContents(ctx, webhook_connector_id);
    const connector = await findConnector(ctx.db, webhook_connector_id);
    if (!connector) throw new Error('the connector was found before');
    const head = await findVersion(ctx.db, connector.head_version_id);
    const fixtures = await listFixtures(ctx.db, webhook_connector_id, head.id);
    return {
      version: head.number,
      fixtures: fixtures.map((fixture) => ({
        fixture_id: fixture.id,
        fixture_name: fixture.name,
        fixture_raw_body: fixture.raw_body,
        fixture_expected_outcome: fixture.expected_outcome,
        is_pass_fresh: fixture.passed_at !== null,
        last_test_passed_at: fixture.last_test_passed_at?.toISOString() ?? null,
      })),
    };
  },
});
