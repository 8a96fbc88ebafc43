import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { DestinationPage } from './destination-page.tsx';
import { DestinationsPage } from './destinations-page.tsx';

const destinationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/destinations/$destinationId',
  component: function Destination() {
    return <DestinationPage destinationId={destinationRoute.useParams().destinationId} />;
  },
});

/** Services that events are passed on to. */
export const outputs = defineFeature({
  routes: [createPageRoute('/destinations', DestinationsPage), destinationRoute],
  menu: [{ place: 'Integrations', tab: 'Destinations', to: '/destinations', needs: 'connectors:read' }],
});
