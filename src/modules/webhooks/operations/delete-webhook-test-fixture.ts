import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { fixtureId } from '../ids.ts';
import { deleteFixture } from '../store/fixtures.ts';

export const deleteWebhookTestFixture = defineOperation({
  name: 'delete_webhook_test_fixture',
  summary: 'Delete a fixture of a webhook connector.',
  toolset: 'webhooks',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'connectors:write', isForPeople: true },
  input: z.strictObject({ fixture_id: fixtureId }),
  output: z.object({ deleted: z.literal(true), fixture_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'An outdated one', input: { fixture_id: createExampleId('webhook_fixture') } }],
  async run(ctx, { fixture_id }) {
    await deleteFixture(ctx.db, fixture_id);
    return { deleted: true as const, fixture_id };
  },
});
