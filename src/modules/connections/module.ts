import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { getClients } from './clients/clients.ts';
import { integrationChanged } from './events.ts';
import { createConnectionResource } from './ids.ts';
import { configureOauthProvider } from './operations/configure-oauth-provider.ts';
import { connectWithToken } from './operations/connect-with-token.ts';
import { finishOauth, type BeginSync } from './operations/finish-oauth.ts';
import { getConnection } from './operations/get-connection.ts';
import { listConnections } from './operations/list-connections.ts';
import { listProviderConfigs } from './operations/list-provider-configs.ts';
import { removeOauthProvider } from './operations/remove-oauth-provider.ts';
import { revokeConnectedAccount } from './operations/revoke-connected-account.ts';
import { startOauth, type SourceAccess } from './operations/start-oauth.ts';
import { testConnection } from './operations/test-connection.ts';
import type { FindAccountHolders } from './holders.ts';
import { endConnectionsOfPerson } from './store/connections.ts';
import { getTokenSource } from './tokens/token-source.ts';

/** What other modules provide to connections. */
type ConnectionsDependencies = {
  findHolders: FindAccountHolders;
  /** The scopes to request, by source. */
  sources: ReadonlyMap<string, SourceAccess>;
  getBeginSync: (ground: Ground) => BeginSync;
};

/** Accounts at providers, linked for a person or the workspace, and their tokens. */
export const createConnectionsModule = (above: ConnectionsDependencies) =>
  defineModule<Ground>({
    name: 'connections',
    resources: [createConnectionResource(above.findHolders)],
    events: [integrationChanged],
    endPerson: endConnectionsOfPerson,
    operations(ground) {
      const {
        vault,
        egress,
        config: { publicUrl },
      } = ground;
      const beginSync = above.getBeginSync(ground);
      const doors = { vault, egress, publicUrl, now, beginSync };
      const options = { ...above, ...doors, clients: getClients(ground), tokens: getTokenSource(ground) };
      return [
        listProviderConfigs(options),
        listConnections(options),
        getConnection(options),
        startOauth(options),
        finishOauth(options),
        connectWithToken(options),
        testConnection(options),
        configureOauthProvider(options),
        removeOauthProvider(options),
        revokeConnectedAccount(options),
      ];
    },
  });
