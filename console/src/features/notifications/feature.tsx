import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { NotificationsPage } from './notifications-page.tsx';

/** How a person is notified of new drafts, and who else may approve them. */
export const notifications = defineFeature({
  routes: [createPageRoute('/account/notifications', NotificationsPage)],
  menu: [{ place: 'My account', tab: 'Notifications', to: '/account/notifications' }],
});
