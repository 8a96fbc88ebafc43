// Sends an action of a recipe: through its linked account, or with secrets that go only to the host of the action.
import type { Transactions } from '#kernel/database';
import type { DraftConnection } from '#kernel/module';
import { openVariables } from '#modules/variables';
import type { Egress, Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { sources } from '#providers';
import { createProviderClient, type ProviderClient, type Reach } from '#providers/http';
import type { RecipeReach } from './recipe-action.ts';

type ReachDeps = { egress: Egress; vault: Vault; transactions: Transactions; client: ProviderClient };

const nobody = { value: '', headers: {}, query: {}, place: 'header' as const };

export function createRecipeReach({ egress, vault, transactions, client }: ReachDeps) {
  return (draft: DraftConnection, deadline: AbortSignal): RecipeReach => ({
    async open({ declared, variables }) {
      const { workspace_id: workspaceId, connection_id: connectionId } = draft;
      const provider = sources.find(({ name }) => name === declared.account)?.provider;
      if (provider !== undefined && connectionId !== null)
        return buildReach(client, { workspaceId, connectionId, provider, deadline });
      const secrets = await transactions.run(workspaceId, 'read', (db) => openVariables(vault, db, variables));
      const { host } = new URL(declared.base_url);
      const handles = secrets.map((secret) => ({ ...secret, hosts: secret.hosts.length ? secret.hosts : [host] }));
      const anonymous = createProviderClient({
        egress: limitEgress(egress, declared.base_url, handles),
        tokens: { accessToken: async () => '', credential: async () => nobody },
        clients: { listed: [], findBaseUrl: () => null },
      });
      return buildReach(anonymous, { workspaceId, connectionId: draft.id, provider: 'recipes', deadline });
    },
  });
}

function buildReach(client: ProviderClient, link: Reach['link']): Reach {
  return { client, link: { ...link, redirects: 'refuse' }, file: async () => null, address: async () => null };
}

/** Egress to one host of the web, with these secrets. */
function limitEgress(egress: Egress, baseUrl: string, handles: readonly Handle[]): Egress {
  const { hostname } = new URL(baseUrl);
  return {
    ...egress,
    request: (request) => egress.request({ ...request, isWeb: true, hosts: [hostname], handles, allow: [] }),
  };
}
