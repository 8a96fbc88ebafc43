import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { ApproversPage } from './approvers-page.tsx';
import { HistoryPage } from './history-page.tsx';
import { InboxPage } from './inbox-page.tsx';
import { PolicyPage } from './policy-page.tsx';
import { WaitingCount } from './waiting-count.tsx';

const draftRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox/$draftId',
  component: function Draft() {
    return <InboxPage draftId={draftRoute.useParams().draftId} />;
  },
});

/** Drafts, their history, and the rules that determine which ones need approval. */
export const actions = defineFeature({
  routes: [
    createPageRoute('/inbox', () => <InboxPage draftId={undefined} />),
    createPageRoute('/inbox/history', HistoryPage),
    draftRoute,
    createPageRoute('/rules', PolicyPage),
    createPageRoute('/rules/approvers', ApproversPage),
  ],
  menu: [
    { place: 'Inbox', tab: 'Drafts', to: '/inbox', key: 'i', needs: 'actions:read', badge: WaitingCount },
    { place: 'Inbox', tab: 'Activity', to: '/inbox/history', needs: 'actions:read' },
    { place: 'Rules', tab: 'Rules', to: '/rules', key: 'r', needs: 'actions:read' },
    { place: 'Rules', tab: 'Approvers', to: '/rules/approvers', needs: 'approvers:read' },
  ],
});
