import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { WorkflowPage } from './workflow-page.tsx';
import { WorkflowsPage } from './workflows-page.tsx';

const workflowRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/workflows/$workflowId',
  component: function Workflow() {
    return <WorkflowPage workflowId={workflowRoute.useParams().workflowId} />;
  },
});

/** Goals with a team, figures and dates. */
export const workflows = defineFeature({
  routes: [createPageRoute('/workflows', WorkflowsPage), workflowRoute],
  menu: [{ place: 'Workflows', to: '/workflows', needs: 'workflows:read' }],
});
