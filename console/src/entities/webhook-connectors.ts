import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../api/call.ts';

export type ListedConnector = Output<'list_webhook_connectors'>['webhook_connectors'][number];
export type Connector = Output<'get_webhook_connector'>;

/** Every webhook connector. The server emits no events for incoming requests, so the list is polled. */
export const connectorsQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await call('list_webhook_connectors', {}, { signal })).webhook_connectors,
  refetchInterval: 4_000,
});
