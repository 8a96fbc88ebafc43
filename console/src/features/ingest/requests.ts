import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Connector = Output<'list_connectors'>['connectors'][number];
export type Route = Output<'list_connector_routes'>['routes'][number];
export type Review = Output<'list_routing_reviews'>['reviews'][number];
export type Chat = Output<'list_chat_sessions'>['chat_sessions'][number];
export type NewConnector = Output<'create_connector'>;

export const connectorsQuery = queryOptions({
  queryKey: ['ingest', 'connectors'],
  queryFn: async ({ signal }) => (await call('list_connectors', {}, { signal })).connectors,
});

export function buildIngestRoutesQuery(connectorId: string) {
  return queryOptions({
    queryKey: ['ingest', 'routes', connectorId],
    queryFn: async ({ signal }) =>
      (await call('list_connector_routes', { connector_id: connectorId }, { signal })).routes,
  });
}

export const reviewsQuery = queryOptions({
  queryKey: ['ingest', 'reviews'],
  queryFn: ({ signal }) => call('list_routing_reviews', { limit: 25 }, { signal }),
});

/** The text to copy into another product, with a placeholder for the token. */
export const setupsQuery = queryOptions({
  queryKey: ['ingest', 'setups'],
  queryFn: ({ signal }) => call('get_connector_setup', {}, { signal }),
  staleTime: Infinity,
});

export const chatsQuery = queryOptions({
  queryKey: ['ingest', 'chats'],
  queryFn: ({ signal }) => call('list_chat_sessions', { limit: 50 }, { signal }),
});
