import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { VariablesPage } from './variables-page.tsx';

/** Secrets and permission sets. */
export const variables = defineFeature({
  routes: [createPageRoute('/secrets', VariablesPage)],
  menu: [{ place: 'Secrets', to: '/secrets', key: 's', needs: 'variables:read' }],
});
