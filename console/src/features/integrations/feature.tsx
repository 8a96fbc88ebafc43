import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readText, type Search } from '../../routing/search.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { AddProviderPage } from './add-provider-page.tsx';
import type { CameBack } from './came-back.tsx';
import { IntegrationPage } from './integration-page.tsx';
import { IntegrationsPage } from './integrations-page.tsx';

/** The server adds them when a person returns from a provider. */
function readCameBack(search: Search): CameBack {
  return { connected: readText(search['connected']), error: readText(search['error']) };
}

const integrationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations',
  validateSearch: readCameBack,
  component: function Integrations() {
    return <IntegrationsPage {...integrationsRoute.useSearch()} />;
  },
});

const integrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations/$source',
  validateSearch: readCameBack,
  component: function Integration() {
    return <IntegrationPage {...integrationRoute.useSearch()} source={integrationRoute.useParams().source} />;
  },
});

/** Linked accounts and what is synced from them. */
export const integrations = defineFeature({
  routes: [integrationsRoute, createPageRoute('/integrations/add', AddProviderPage), integrationRoute],
  menu: [{ place: 'Integrations', tab: 'Accounts', to: '/integrations', key: 't', needs: 'integrations:read' }],
});
