import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type MailChoice = 'off' | 'each' | 'digest';

export type Notifications = Output<'get_notifications'>;

/** The notification settings of the person. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => call('get_notifications', {}, { signal }),
});

export function chooseMail(mail: MailChoice): Promise<Output<'set_notifications'>> {
  return call('set_notifications', { mail });
}

/** The workflow of a deadline. */
export function readWorkflow(workflowId: string) {
  return call('get_workflow', { workflow_id: workflowId });
}
