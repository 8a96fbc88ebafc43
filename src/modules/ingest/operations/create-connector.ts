import { defineOperation } from '#kernel/operation';
import { findCallerKeyId, generateCredential, getVisiblePrefix } from '#modules/accounts';
import { brainId } from '#modules/brains';
import { hashSecret } from '#platform/one-time-secrets';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { connectorConfig, connectorKinds, connectorName, connectorSource } from '../connector-fields.ts';
import { mergeConnectorConfig } from '../connector.ts';
import { insertConnector } from '../store/connectors.ts';
import { insertToken } from '../store/tokens.ts';

const input = z.strictObject({
  name: connectorName,
  source: connectorSource,
  brain_id: brainId.optional().describe('The brain it belongs to. Default: your home brain.'),
  connector_type: z
    .enum(connectorKinds)
    .default('personal')
    .describe('personal: stores in your name, and you find it first. shared: stores in nobody’s name.'),
  connector_config: connectorConfig.optional(),
});

const output = z.object({
  connector_id: z.uuid(),
  name: z.string(),
  connector_type: z.enum(connectorKinds),
  webhook_token: z.string().nullable().describe('Copy it now: it is not stored. Null for the type mcp_server.'),
  auth_header: z.string().nullable(),
  ingest_url: uri(),
  allowed_brain_ids: z.array(z.uuid()),
  default_brain_id: z.uuid(),
});

export function createConnector({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'create_connector',
    summary: 'Create a connector, with which another system sends texts here. Its zwh_ token is shown once.',
    toolset: 'ingest',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', brain: { role: 'editor', of: 'brain_id' }, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/connectors' }],
    aliases: { config: 'connector_config' },
    input,
    output,
    errors: ['not_found', 'forbidden', 'invalid_input'],
    examples: [
      { title: 'Mail from Make', input: { name: 'Company Gmail', source: 'make', connector_type: 'personal' } },
      {
        title: 'A channel that is dropped',
        input: {
          name: 'Slack',
          source: 'slack',
          connector_type: 'shared',
          connector_config: { channel_mappings: { '#random': null } },
        },
      },
    ],
    async run(ctx, { name, source, brain_id, connector_type: kind, connector_config = {} }) {
      const home = brain_id ?? (await ctx.brains()).homeBrainId;
      const { workspaceId, personId } = ctx.caller;
      const id = ctx.newId();
      const config = await mergeConnectorConfig(ctx, null, connector_config, home);
      const row = { id, workspace_id: workspaceId, person_id: personId, name, source, kind, brain_id: home, config };
      await insertConnector(ctx.db, { ...row, created_at: ctx.now, updated_at: ctx.now });
      const token = kind === 'mcp_server' ? null : generateCredential('zwh');
      if (token !== null) {
        const secret = { token_hash: hashSecret(token), prefix: getVisiblePrefix(token) };
        const made_by_key = await findCallerKeyId(ctx);
        await insertToken(ctx.db, {
          id,
          workspace_id: workspaceId,
          ...secret,
          made_by_key,
          created_at: ctx.now,
        });
      }
      return {
        connector_id: id,
        name,
        connector_type: kind,
        webhook_token: token,
        auth_header: token && `Authorization: Bearer ${token}`,
        ingest_url: `${publicUrl}/v1/ingest`,
        allowed_brain_ids: config.allowed_brain_ids,
        default_brain_id: config.default_brain_id ?? home,
      };
    },
  });
}
