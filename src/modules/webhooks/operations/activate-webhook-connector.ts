import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { webhookConnectorChanged } from '../events.ts';
import { webhookConnectorId } from '../ids.ts';
import { findLostVariable, getVersionSigning, type KnownConnectors } from '../intake/known-connectors.ts';
import { getSignatureRule } from '../signatures/schemes.ts';
import { findVersion, findVersionByNumber, lockConnector, updateConnector } from '../store/connectors.ts';
import { listFixtures } from '../store/fixtures.ts';
import type { VersionRow } from '../store/tables.ts';
import { versionNumber } from './test-webhook-translator.ts';

export function activateWebhookConnector({ known }: { known: KnownConnectors }) {
  return defineOperation({
    name: 'activate_webhook_connector',
    summary:
      'Activate a webhook connector, so that it translates and stores what it receives, or end its pause. Every fixture must have passed.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/activate' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input: z.strictObject({
      webhook_connector_id: webhookConnectorId,
      version: versionNumber.optional().describe('An earlier version to return to. Default: the newest.'),
    }),
    output: z.object({
      webhook_connector_id: z.uuid(),
      status: z.literal('active'),
      active_version: z.number().int(),
      next_step_for_ai: z.string(),
    }),
    errors: ['not_found', 'conflict', 'forbidden'],
    examples: [
      {
        title: 'After all fixtures passed',
        input: { webhook_connector_id: createExampleId('tested_webhook_connector') },
      },
    ],
    async run(ctx, { webhook_connector_id: id, version: number }) {
      const connector = await lockConnector(ctx.db, id);
      const version =
        number === undefined
          ? await findVersion(ctx.db, connector.head_version_id)
          : await findVersionByNumber(ctx.db, id, number);
      if (!version) throw createNotFoundError('version');
      await checkActivation(ctx, version);
      await updateConnector(ctx.db, id, {
        state: 'active',
        state_reason: null,
        active_version_id: version.id,
        updated_at: ctx.now,
      });
      known.forget(id);
      const { person_id: personId } = connector;
      await ctx.emit(webhookConnectorChanged({ webhook_connector_id: id, state: 'active' }, { personId }));
      return {
        webhook_connector_id: id,
        status: 'active' as const,
        active_version: version.number,
        next_step_for_ai:
          'Do not call this done yet. Let the sender send a real event, check it with list_webhook_events, and check that its document is in the brain.',
      };
    },
  });
}

/** Throws `conflict` that lists everything that is missing. */
async function checkActivation(ctx: Context, version: VersionRow): Promise<void> {
  const missing: string[] = [];
  if (version.code === null) missing.push('It has no translator: set translator_code with update_webhook_config.');
  const { kind } = getSignatureRule(getVersionSigning(version), null);
  if (kind !== 'none' && version.secret === null)
    missing.push('It has no secret for its signature scheme: set webhook_secret with update_webhook_config.');
  const lost = await findLostVariable(ctx.db, version);
  if (lost !== null)
    missing.push(`${lost}, which held its secret, was deleted: set another with update_webhook_config.`);
  const role = (await ctx.brains()).roles.get(version.brain_id);
  if (!role || role === 'viewer') missing.push('You may not write to its default brain: set another brain_id.');
  const fixtures = await listFixtures(ctx.db, version.connector_id, version.id);
  const stale = fixtures.filter(({ passed_at }) => passed_at === null);
  if (!fixtures.length) missing.push('It has no fixture: add one with add_webhook_test_fixture.');
  if (stale.length) {
    const names = stale
      .slice(0, 5)
      .map(({ name }) => `"${name}"`)
      .join(', ');
    missing.push(`Fixtures have not passed for version ${version.number}: ${names}. Call test_webhook_translator.`);
  }
  if (missing.length) throw new AppError('conflict', `It cannot be activated yet. ${missing.join(' ')}`, { missing });
}
