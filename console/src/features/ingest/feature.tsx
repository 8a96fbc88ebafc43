import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { ConnectorsPage } from './connectors-page.tsx';

/** Senders of items that feed a brain. */
export const ingest = defineFeature({
  routes: [createPageRoute('/connectors', ConnectorsPage)],
  menu: [{ place: 'Integrations', tab: 'Connectors', to: '/connectors', key: 'c', needs: 'connectors:read' }],
});
