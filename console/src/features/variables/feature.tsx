import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { PermissionSetsPage } from './permission-sets-page.tsx';
import { VariablesPage } from './variables-page.tsx';

/** Secrets and permission sets. */
export const variables = defineFeature({
  routes: [createPageRoute('/secrets', VariablesPage), createPageRoute('/agents/permission-sets', PermissionSetsPage)],
  menu: [
    { place: 'Secrets', to: '/secrets', key: 's', needs: 'variables:read' },
    { place: 'Agents', tab: 'Permission sets', to: '/agents/permission-sets', needs: 'workspace:admin' },
  ],
});
