import type { Context } from '#kernel/context';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { connectorName, connectorOutput, settingFields, settingsNotice } from '../connector-fields.ts';
import { sealSecretAddress } from '../connector-address.ts';
import { buildNextVersion, presentConnector, findSecretLink } from '../connector.ts';
import { webhookConnectorChanged } from '../events.ts';
import { webhookConnectorId } from '../ids.ts';
import type { KnownConnectors } from '../intake/known-connectors.ts';
import { addVersion, findVersion, findVersions, lockConnector, updateConnector } from '../store/connectors.ts';
import type { ConnectorRow, VersionRow } from '../store/tables.ts';

const settings = { name: connectorName.optional(), ...settingFields };
const { brain_id: _brain, allowed_brain_ids: _brains, ...asObject } = settings;
const input = z.strictObject({
  webhook_connector_id: webhookConnectorId,
  ...settings,
  webhook_config: z
    .strictObject(asObject)
    .optional()
    .describe('The fields other than brains as one object, or as JSON text.'),
});

type Deps = { publicUrl: string; vault: Vault; known: KnownConnectors };

export function updateWebhookConfig({ publicUrl, vault, known }: Deps) {
  return defineOperation({
    name: 'update_webhook_config',
    shortNames: ['update_config'],
    summary: "Change a webhook connector's translator or settings as a new version, to test and activate.",
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: {
      scope: 'connectors:write',
      brain: { role: 'editor', of: 'brain_id', whenAbsent: 'allow' },
      isForPeople: true,
    },
    rest: [{ method: 'PATCH', path: '/v1/webhook-connectors/{webhook_connector_id}' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id', config: 'webhook_config' },
    input,
    output: connectorOutput.extend({
      webhook_secret: z.string().nullable().describe('A secret that was just created here, shown once.'),
      secret_link: uri().nullable().describe('For the owner: the console page that shows a waiting secret once.'),
      notice: settingsNotice,
      next_step_for_ai: z.string(),
    }),
    errors: ['not_found', 'forbidden', 'invalid_input'],
    examples: [
      {
        title: 'A translator',
        input: {
          webhook_connector_id: createExampleId('webhook_connector'),
          translator_code:
            'function translate({ body }) { return { documents: [{ content: body.text, source_id: body.id }] }; }',
        },
      },
    ],
    async run(ctx, { webhook_connector_id: id, webhook_config = {}, ...fields }) {
      await checkContents(ctx, id); // otherwise members of the new brain would see earlier events
      const { name, ...changes } = { ...fields, ...webhook_config };
      const before = await lockConnector(ctx.db, id);
      const head = await findVersion(ctx.db, before.head_version_id);
      const made = await buildNextVersion(ctx, vault, id, head, changes);
      const version = await addVersion(ctx.db, made.version);
      const address = await sealSecretAddress(ctx, vault, before, version);
      const has_unread_secret = made.isSecretUnread === 'as before' ? before.has_unread_secret : made.isSecretUnread;
      const made_by_key = await findKnowingKey(ctx, before, head, { version, isKept: made.isSecretKept });
      const change = { name: name ?? before.name, made_by_key, ...address, has_unread_secret, updated_at: ctx.now };
      await updateConnector(ctx.db, id, change);
      known.forget(id);
      const { state, person_id: personId } = before;
      await ctx.emit(webhookConnectorChanged({ webhook_connector_id: id, state }, { personId }));
      const active = (await findVersions(ctx.db, before.active_version_id ? [before.active_version_id] : [])).values();
      return {
        ...presentConnector({ ...before, ...change }, version, [...active][0], publicUrl),
        webhook_secret: made.shownSecret,
        secret_link: findSecretLink(publicUrl, { ...before, ...change }),
        ...(made.notice && { notice: made.notice }),
        next_step_for_ai: `This is version ${version.number}. Test every fixture with test_webhook_translator, then call activate_webhook_connector.`,
      };
    },
  });
}

/**
 * The key that may know what a request needs: a new secret replaces that of the previous key, but an address without
 * signatures stays known.
 */
async function findKnowingKey(
  ctx: Context,
  { made_by_key: before }: ConnectorRow,
  head: VersionRow,
  { version, isKept }: { version: VersionRow; isKept: boolean },
): Promise<string | null> {
  const key = await findCallerKeyId(ctx);
  if (version.secret !== null && !isKept) return key;
  return version.scheme === 'none' && head.scheme !== 'none' ? (key ?? before) : before;
}
