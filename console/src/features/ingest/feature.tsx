import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { ConversationsPage } from './conversations-page.tsx';
import { ToSortPage } from './to-sort-page.tsx';

/** Texts that wait for a brain, and captured conversations. Connectors are listed among the sources. */
export const ingest = defineFeature({
  routes: [createPageRoute('/inbox/to-sort', ToSortPage), createPageRoute('/library/conversations', ConversationsPage)],
  menu: [
    { place: 'Inbox', tab: 'To sort', to: '/inbox/to-sort', needs: 'memory:read' },
    { place: 'Library', tab: 'Conversations', to: '/library/conversations', key: 'c', needs: 'pages:read' },
  ],
});
