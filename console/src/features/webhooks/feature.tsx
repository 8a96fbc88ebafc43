import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { connectorTabs, eventFilters, type ConnectorAddress } from './address.ts';
import { WebhookPage } from './webhook-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

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
  path: '/webhooks/$connectorId',
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

/** Incoming webhooks and their translators. */
export const webhooks = defineFeature({
  routes: [createPageRoute('/webhooks', WebhooksPage), connectorRoute],
  menu: [{ place: 'Integrations', tab: 'Webhooks', to: '/webhooks', key: 'w', needs: 'connectors:read' }],
});
