import { infiniteQueryOptions, queryOptions, skipToken } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Destination = Output<'list_output_destinations'>['destinations'][number];
export type Route = Output<'list_output_routes'>['routes'][number];
export type Delivery = Output<'list_output_deliveries'>['deliveries'][number];
export type DeliveryDetail = Output<'get_output_delivery'>;
export type DeliveryStatus = Delivery['status'];

/** The server emits no events for deliveries, so visible lists are polled. */
const lookMs = 2_000;

export const destinationsQuery = queryOptions({
  queryKey: ['outputs', 'destinations'],
  queryFn: async ({ signal }) => (await call('list_output_destinations', {}, { signal })).destinations,
  refetchInterval: 2 * lookMs,
});

/** Where routes begin or end. */
export type RouteEnds = Pick<Input<'list_output_routes'>, 'output_source_id' | 'output_destination_id'>;

export function buildOutputRoutesQuery(ends: RouteEnds) {
  return queryOptions({
    queryKey: ['outputs', 'routes', ends],
    queryFn: async ({ signal }) => (await call('list_output_routes', ends, { signal })).routes,
  });
}

const pageSize = 25;

export function buildDeliveriesQuery(destinationId: string, status: DeliveryStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: ['outputs', 'deliveries', destinationId, status ?? 'all'],
    queryFn: ({ pageParam: offset, signal }) =>
      call(
        'list_output_deliveries',
        { output_destination_id: destinationId, ...(status && { status }), limit: pageSize, offset },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length * pageSize : undefined),
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * lookMs,
  });
}

export function buildDeliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['outputs', 'delivery', id],
    queryFn: ({ signal }) => call('get_output_delivery', { delivery_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? lookMs : false),
  });
}

/** The signing secret that was shown once, kept until the page is left for a while. */
export function buildFreshSecretQuery(destinationId: string) {
  return queryOptions<string>({ queryKey: ['outputs-fresh', destinationId], queryFn: skipToken });
}

export function registerDestination(input: Input<'register_output_destination'>) {
  return call('register_output_destination', input);
}

export function updateDestination(input: Input<'update_output_destination'>) {
  return call('update_output_destination', input);
}

export function rotateSecret(output_destination_id: string) {
  return call('rotate_output_secret', { output_destination_id });
}

export function testDestination(output_destination_id: string) {
  return call('test_output_destination', { output_destination_id });
}

export function deleteDestination(output_destination_id: string) {
  return call('delete_output_destination', { output_destination_id });
}

export function attachRoute(input: Input<'attach_output_route'>) {
  return call('attach_output_route', input);
}

export function detachRoute(output_route_id: string) {
  return call('detach_output_route', { output_route_id });
}

export function replayDelivery(delivery_id: string) {
  return call('replay_output_delivery', { delivery_id });
}

export function recoverDeliveries(output_destination_id: string) {
  return call('recover_output_deliveries', { output_destination_id });
}
