import { createRoute } from '@tanstack/react-router';
import { connectorAddress } from './addresses.ts';
import { DestinationPage } from './features/outputs/destination-page.tsx';
import { DestinationsPage } from './features/outputs/destinations-page.tsx';
import { WebhookPage } from './features/webhooks/webhook-page.tsx';
import { WebhooksPage } from './features/webhooks/webhooks-page.tsx';
import { pageAt, shellRoute } from './shell-route.tsx';

const incomingRoute = pageAt('/webhooks', WebhooksPage);

const connectorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$connectorId',
  validateSearch: connectorAddress,
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

const outgoingRoute = pageAt('/webhooks/outgoing', DestinationsPage);

const destinationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/outgoing/$destinationId',
  component: function Destination() {
    return <DestinationPage destinationId={destinationRoute.useParams().destinationId} />;
  },
});

/** The pages of webhooks, incoming and outgoing. */
export const webhookRoutes = [incomingRoute, connectorRoute, outgoingRoute, destinationRoute] as const;
