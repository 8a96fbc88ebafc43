import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import { brainId } from '#modules/brains';
import { noLease } from '#platform/lease';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { connectorName, settingFields, settingsNotice } from '../connector-fields.ts';
import { sealSecretAddress } from '../connector-address.ts';
import { buildNextVersion, buildDefaultSettings, findSecretLink } from '../connector.ts';
import { webhookConnectorChanged } from '../events.ts';
import { describeNextStep, listSetupSteps } from '../setup-steps.ts';
import { buildConnectorUrl, hashOfSlug, generateSlug } from '../slug.ts';
import { insertConnector } from '../store/connectors.ts';

const input = z.strictObject({
  name: connectorName,
  ...settingFields,
  brain_id: brainId.describe('The default brain for documents that name no other.'),
});

const output = z.object({
  connector_id: z.uuid(),
  webhook_slug: z.string(),
  ingest_url: uri().describe('The address for the sender. For the scheme none it is the secret, shown only now.'),
  status: z.literal('draft'),
  webhook_secret: z
    .string()
    .nullable()
    .describe('Created here and shown once; null when the sender creates it, you passed it, or you may not see it.'),
  secret_link: uri()
    .nullable()
    .describe('For the owner of the connector: the console page that shows the secret once. Null: none waits.'),
  notice: settingsNotice,
  setup_steps: z.array(z.string()),
  next_step_for_ai: z.string(),
});

export function createWebhookConnector({ publicUrl, vault }: { publicUrl: string; vault: Vault }) {
  return defineOperation({
    name: 'create_webhook_connector',
    summary:
      "Create a webhook connector: an address where a service's webhooks feed a brain. It starts as a draft that stores samples.",
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', brain: { role: 'editor', of: 'brain_id' }, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors' }],
    input,
    output,
    errors: ['not_found', 'forbidden', 'invalid_input'],
    examples: [
      {
        title: 'Issues and pull requests of GitHub',
        input: { name: 'GitHub', brain_id: createExampleId('brain'), provider: 'github', translator_runtime: 'v8' },
      },
      {
        title: 'A sender that signs with HMAC',
        input: {
          name: 'Billing',
          brain_id: createExampleId('brain'),
          signature_scheme: 'hmac_sha256',
          webhook_secret: 'a-long-random-text',
          translator_runtime: 'v8',
        },
      },
    ],
    run: (ctx, settings) => create(ctx, { publicUrl, vault }, settings),
  });
}

type Deps = { publicUrl: string; vault: Vault };

async function create(ctx: Context, { publicUrl, vault }: Deps, { name, ...settings }: z.output<typeof input>) {
  if (!settings.signature_scheme && !settings.provider)
    throw new AppError('invalid_input', 'signature_scheme: set how requests are signed, or name a provider.');
  const { workspaceId: workspace_id, personId: person_id } = ctx.caller;
  const [id, slug] = [ctx.newId(), generateSlug()];
  const { version, shownSecret, isSecretUnread, notice } = await buildNextVersion(
    ctx,
    vault,
    id,
    buildDefaultSettings(ctx, settings.brain_id),
    settings,
  );
  const made = { id, workspace_id, slug, sealed_slug: null };
  const address = { ...(await sealSecretAddress(ctx, vault, made, version)), slug_hash: hashOfSlug(slug) };
  const versions = { brain_id: version.brain_id, head_version_id: version.id, active_version_id: null };
  const has_unread_secret = isSecretUnread === true;
  const origin = { made_by_key: await findCallerKeyId(ctx), state_reason: null };
  const times = { has_unread_secret, alerted_at: null, created_at: ctx.now, updated_at: ctx.now };
  const connector = {
    id,
    workspace_id,
    person_id,
    name,
    ...address,
    state: 'draft' as const,
    ...versions,
    ...origin,
    ...times,
  };
  await insertConnector(ctx.db, { ...connector, ...noLease }, { ...version, number: 1 });
  await ctx.emit(webhookConnectorChanged({ webhook_connector_id: id, state: 'draft' }, { personId: person_id }));
  const url = buildConnectorUrl(publicUrl, slug);
  return {
    connector_id: id,
    webhook_slug: slug,
    ingest_url: url,
    status: 'draft' as const,
    webhook_secret: shownSecret,
    secret_link: findSecretLink(publicUrl, connector),
    ...(notice && { notice }),
    setup_steps: listSetupSteps(version, url),
    next_step_for_ai: describeNextStep(version),
  };
}
