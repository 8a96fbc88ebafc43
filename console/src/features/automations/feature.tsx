import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { AutomationPage, readAutomationAddress } from './automation-page.tsx';
import { AutomationsPage } from './automations-page.tsx';

const automationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/automations/$automationId',
  validateSearch: readAutomationAddress,
  component: function Automation() {
    return (
      <AutomationPage automationId={automationRoute.useParams().automationId} address={automationRoute.useSearch()} />
    );
  },
});

/** Scripts that run by themselves. */
export const automations = defineFeature({
  routes: [createPageRoute('/automations', AutomationsPage), automationRoute],
  menu: [{ place: 'Automations', to: '/automations', key: 'o', needs: 'automations:read' }],
});
