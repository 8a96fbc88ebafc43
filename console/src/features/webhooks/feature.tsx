import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { shellRoute } from '../../routing/shell-route.ts';
import { connectorTabs, eventFilters, type ConnectorAddress } from './address.ts';
import { SourcesPage } from './sources-page.tsx';
import { WebhookPage } from './webhook-page.tsx';

function readConnectorAddress(search: Search): ConnectorAddress {
  return {
    part: readChoice(search['part'], connectorTabs),
    filter: readChoice(search['filter'], eventFilters),
    q: readText(search['q']),
    event: readText(search['event']),
  };
}

const connectorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sources/$connectorId',
  validateSearch: readConnectorAddress,
  component: function Connector() {
    const navigate = connectorRoute.useNavigate();
    return (
      <WebhookPage
        connectorId={connectorRoute.useParams().connectorId}
        address={connectorRoute.useSearch()}
        onChange={(change) =>
          void navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false })
        }
      />
    );
  },
});

/** The connector whose drawer is open. */
function readSourcesAddress(search: Search): { connector?: string | undefined } {
  return { connector: readText(search['connector']) };
}

const sourcesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sources',
  validateSearch: readSourcesAddress,
  component: function Sources() {
    const navigate = sourcesRoute.useNavigate();
    return (
      <SourcesPage
        connectorId={sourcesRoute.useSearch().connector}
        onOpen={(connector) => void navigate({ search: { connector }, resetScroll: false })}
      />
    );
  },
});

/** Sources: incoming webhooks with their translators, and connectors. */
export const webhooks = defineFeature({
  routes: [sourcesRoute, connectorRoute],
  menu: [{ place: 'Integrations', tab: 'Sources', to: '/sources', key: 'w', needs: 'connectors:read' }],
});
