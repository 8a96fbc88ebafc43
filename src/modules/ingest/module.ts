import { defineModule } from '#kernel/module';
import { getFindMeaning } from '#modules/meaning';
import type { Ground } from '#platform';
import { connectorResource, reviewResource, routeResource } from './ids.ts';
import { addConnectorRoute } from './operations/add-connector-route.ts';
import { configureConnector } from './operations/configure-connector.ts';
import { createConnector } from './operations/create-connector.ts';
import { deleteConnectorRoute } from './operations/delete-connector-route.ts';
import { deleteConnector } from './operations/delete-connector.ts';
import { getConnectorSetup } from './operations/get-connector-setup.ts';
import { ingestOperation } from './operations/ingest.ts';
import { listConnectorRoutes } from './operations/list-connector-routes.ts';
import { listConnectors } from './operations/list-connectors.ts';
import { listRoutingReviews } from './operations/list-routing-reviews.ts';
import { resolveRoutingReview } from './operations/resolve-routing-review.ts';
import { deleteConnectorsOfPerson } from './store/connectors.ts';
import { dropTokensOfKeys } from './store/tokens.ts';

/** Knowledge that other systems send. */
export const ingestModule = defineModule<Ground>({
  name: 'ingest',
  resources: [connectorResource, routeResource, reviewResource],
  endPerson: deleteConnectorsOfPerson,
  endKeys: async (db, keyIds) => ({ connector_tokens: await dropTokensOfKeys(db, keyIds) }),
  operations: (ground) => [
    ingestOperation({ search: ground.search, jobs: ground.jobs, meaningOf: getFindMeaning(ground) }),
    createConnector({ publicUrl: ground.config.publicUrl }),
    listConnectors,
    configureConnector,
    deleteConnector,
    getConnectorSetup({ publicUrl: ground.config.publicUrl }),
    addConnectorRoute,
    listConnectorRoutes,
    deleteConnectorRoute,
    listRoutingReviews,
    resolveRoutingReview,
  ],
});
