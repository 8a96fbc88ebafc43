import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type MailChoice = 'off' | 'each' | 'digest';

export type Notifications = { mail: MailChoice; address: string; can_mail: boolean };

/** How the person is told of drafts. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call<Notifications>('get_notifications', {}, { signal }),
});

export function chooseMail(mail: MailChoice): Promise<Notifications> {
  return call('set_notifications', { mail });
}
