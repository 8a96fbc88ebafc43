import { defineOperation } from '#kernel/operation';
import type { Clients, ProviderOfWorkspace } from '#modules/connections';
import { z } from 'zod';
import { listAccountsBySource, connectUrl } from '../linked-accounts.ts';
import { findCoverage, listedSources } from '#providers';

const account = z.object({
  connection_id: z.uuid(),
  account: z.string().describe('The current name of the account at the provider.'),
  known_as: z
    .string()
    .describe("The account's name on its pages: their source is the name of the integration, a colon, and this name."),
  status: z.enum(['active', 'reconnect_needed', 'revoked', 'missing_permission']),
  status_reason: z.string().nullable(),
  may_act: z
    .boolean()
    .describe(
      'Whether the account has any permission to act through this integration. Reading needs fewer permissions.',
    ),
  lacks: z.array(z.string()).describe('The additional actions that linking again with every box ticked would allow.'),
  connected_at: z.iso.datetime(),
});

const integration = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  oauth_provider: z
    .string()
    .nullable()
    .describe('The provider whose consent page links the account; null: a token or an address links it.'),
  connected: z.boolean().describe('Whether you have a linked account that works.'),
  supports: z.object({ fetch: z.boolean(), act: z.boolean(), adapter: z.boolean() }),
  is_configured: z.boolean().describe('Whether this server has an OAuth client at the provider.'),
  scopes: z.array(z.object({ scope: z.string(), why: z.string(), for: z.enum(['read', 'act']) })),
  goes_back: z
    .string()
    .nullable()
    .describe('How far back a sync reads, and which later changes it notices; null: the integration has no sync.'),
  not_read: z.array(z.string()).describe('What a sync does not read, by kind.'),
  accounts: z.array(account),
  connect_url: z.string().describe('The page where a person links an account.'),
});

export function listIntegrations({ clients, publicUrl }: { clients: Clients; publicUrl: string }) {
  return defineOperation({
    name: 'list_integrations',
    summary:
      'List the available integrations, and which of them you have connected. Call this before you offer an integration.',
    toolset: 'integrations',
    effect: 'read',
    access: { scope: 'integrations:read' },
    rest: [{ method: 'GET', path: '/v1/integrations' }],
    input: z.strictObject({
      include_unconnected: z.boolean().default(true).describe('False: only integrations that you have connected.'),
    }),
    output: z.object({ integrations: z.array(integration) }),
    errors: [],
    examples: [{ title: 'Which integrations are connected?', input: { include_unconnected: false } }],
    async run(ctx, { include_unconnected }) {
      const known = new Map((await clients.all(ctx.db)).map((each) => [each.provider.name, each]));
      const integrations: z.input<typeof integration>[] = [];
      const accountsOf = await listAccountsBySource(ctx, listedSources);
      for (const source of listedSources) {
        const accounts = accountsOf.get(source.name) ?? [];
        const connected = accounts.some(({ status }) => status === 'active');
        if (!connected && !include_unconnected) continue;
        integrations.push({
          name: source.name,
          label: source.label,
          description: source.description,
          oauth_provider: isByConsent(source, known.get(source.provider)) ? source.provider : null,
          connected,
          supports: source.supports,
          is_configured: isConfigured(known.get(source.provider)),
          scopes: source.scopes.map((scope) => ({ for: 'read' as const, ...scope })),
          goes_back: findCoverage(source.name)?.goesBack ?? null,
          not_read: [...(findCoverage(source.name)?.notRead ?? [])],
          accounts: accounts.map(({ row, status, reason, mayAct, lacks }) => ({
            connection_id: row.id,
            account: row.account,
            known_as: row.known_as,
            status,
            status_reason: reason,
            may_act: mayAct,
            lacks,
            connected_at: row.connected_at.toISOString(),
          })),
          connect_url: connectUrl(publicUrl, source),
        });
      }
      return { integrations };
    },
  });
}

function isByConsent(
  { linkedBy }: Pick<(typeof listedSources)[number], 'linkedBy'>,
  known: ProviderOfWorkspace | undefined,
): boolean {
  return linkedBy !== 'token' && Boolean(known?.provider.oauth);
}

function isConfigured(known: ProviderOfWorkspace | undefined): boolean {
  return Boolean(known?.provider.oauth) && known?.origin !== 'none';
}
