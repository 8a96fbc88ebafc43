import { isInBrowser } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { ownPath } from '#kernel/own-path';
import { workspaceId } from '#modules/accounts';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { beginConsent } from '../consents/consents.ts';
import { buildAuthorizationUrl, type OAuthClient } from '../clients/oauth-client.ts';
import { checkMayShare, ownerField } from '../accounts/ownership.ts';
import type { FindAccountHolders } from '../holders.ts';
import { listConnections, type ConnectionRow } from '../store/connections.ts';

const consentLivesMs = 10 * 60 * 1000;

/** The scopes that a source needs, for reading and for writing. */
export type SourceAccess = { provider: string; toRead: readonly string[]; toAct: readonly string[] };

/** The data that is stored until the browser returns. Data from the previous version has no `sync`. */
export type LinkingState = {
  provider: string;
  source: string;
  scopes: string[];
  isShared: boolean;
  returnTo: string;
  sync?: boolean;
};

type StartedConsent = { client: OAuthClient; url: string };

const input = z.strictObject({
  provider: z.string().min(1).max(60),
  source: z.string().min(1).max(60).describe('The source, such as gmail, or the provider.'),
  return_to: ownPath.default('/integrations'),
  access: z.enum(['read', 'act']).default('act').describe('read: request only permissions for reading.'),
  owner: ownerField,
  sync: z
    .boolean()
    .default(false)
    .describe('Sync the source into your personal brain once it is linked: the last 90 days, then every 15 minutes.'),
  workspace_id: workspaceId.optional(),
});

export function startOauth(options: {
  clients: Clients;
  vault: Vault;
  egress: Egress;
  sources: ReadonlyMap<string, SourceAccess>;
  publicUrl: string;
  findHolders: FindAccountHolders;
}) {
  const { clients, vault, egress, sources, publicUrl, findHolders } = options;
  return defineOperation({
    name: 'start_oauth',
    summary: 'Start linking an account. Returns the consent page that the person opens in this browser.',
    toolset: 'accounts',
    effect: 'write',
    hasSecretAnswer: true,
    access: { scope: 'connections:write', isForPeople: true },
    input,
    aliases: { wId: 'workspace_id', providerConfigId: 'provider' },
    output: z.object({ authorization_url: uri() }),
    errors: ['forbidden', 'unavailable', 'invalid_input', 'not_found', 'upstream_failed'],
    examples: [{ title: 'Link Gmail', input: { provider: 'google', source: 'gmail' } }],
    async run(ctx, { provider, source, return_to, access, owner, sync }): Promise<StartedConsent> {
      if (!isInBrowser(ctx.caller)) throw createBrowserNeededError(publicUrl);
      const needs = await findSourceAccess(ctx, source, sources, clients);
      if (needs?.provider !== provider) throw createUnknownSourceError(source, provider, sources);
      checkMayShare(ctx.caller, owner);
      const client = await clients.get(ctx.db, ctx.caller.workspaceId, provider);
      const scopes = await listRequestedScopes(ctx, client, access === 'act' ? needs.toAct : needs.toRead, findHolders);
      const isShared = owner === 'workspace';
      const kept: LinkingState = { provider, source, scopes, isShared, returnTo: return_to, sync };
      const url = await beginConsent(ctx.db, vault, {
        kind: 'account',
        id: ctx.newId(),
        workspaceId: ctx.caller.workspaceId,
        browser: ctx.caller.id,
        at: ctx.now,
        expiresAt: new Date(ctx.now.getTime() + consentLivesMs),
        kept,
        url: (asked) => buildAuthorizationUrl(client, { scopes, ...asked }),
      });
      return { client, url };
    },

    /** A custom provider's address must not lead into a private network. */
    async afterCommit(_ctx, { client, url }) {
      if (!clients.isListed(client.provider.name)) await egress.checkResolved(url);
      return { authorization_url: url };
    },
  });
}

/**
 * The scopes to request: identity, the source's own, and those of existing accounts for other sources. This relinks
 * expired accounts, and some providers revoke scopes that are not requested again.
 */
async function listRequestedScopes(
  { db, caller }: Context,
  { oauth, provider: { name: provider } }: OAuthClient,
  needed: readonly string[],
  findHolders: FindAccountHolders,
): Promise<string[]> {
  const { always, addsUp } = oauth.scopes;
  const rows = await listConnections(db, await findHolders(db, caller), { provider });
  const counts = ({ status, kind }: ConnectionRow) =>
    kind === 'oauth' && (status === 'reconnect_needed' || (status === 'active' && !addsUp));
  return [...new Set([...always, ...needed, ...rows.filter(counts).flatMap(({ scopes }) => scopes)])];
}

/** The scopes of a source. Without a source, only the identity is requested. */
async function findSourceAccess(
  { db }: Context,
  source: string,
  sources: ReadonlyMap<string, SourceAccess>,
  clients: Clients,
): Promise<SourceAccess | undefined> {
  const known = sources.get(source);
  if (known) return known;
  const provider = await clients.provider(db, source);
  return provider?.oauth ? { provider: source, toRead: [], toAct: [] } : undefined;
}

function createBrowserNeededError(publicUrl: string): AppError {
  return new AppError(
    'forbidden',
    `A person links accounts in the browser. Open ${publicUrl}/integrations and link it there.`,
    {
      connect_url: `${publicUrl}/integrations`,
    },
  );
}

function createUnknownSourceError(
  source: string,
  provider: string,
  sources: ReadonlyMap<string, SourceAccess>,
): AppError {
  const known = [...sources].map(([name, access]) => `${name} (${access.provider})`).join(', ');
  return new AppError('invalid_input', `source: ${provider} has no source ${source}. Known: ${known}.`);
}
