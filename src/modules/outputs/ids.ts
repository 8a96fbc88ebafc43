import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateDeliveries, locateDestinations, locateRoutes } from './store/destinations.ts';

export const destinationId = itemId('output_destination').describe(
  'Id of a destination, from `list_output_destinations`.',
);
export const routeId = itemId('output_route').describe('Id of a route, from `list_output_routes`.');
export const deliveryId = itemId('output_delivery').describe('Id of a delivery, from `list_output_deliveries`.');

export const destinationResource = defineResource({
  kind: 'output_destination',
  noun: 'destination',
  locate: locateDestinations,
});

export const routeResource = defineResource({ kind: 'output_route', noun: 'route', locate: locateRoutes });

export const deliveryResource = defineResource({ kind: 'output_delivery', noun: 'delivery', locate: locateDeliveries });
