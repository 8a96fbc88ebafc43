import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { listConnectorRows, locateRoutes } from './store/connectors.ts';
import { locateReviews } from './store/reviews.ts';

export const connectorId = itemId('connector').describe('Id of a connector, from `list_connectors`.');
export const routeId = itemId('connector_route').describe('Id of a route, from `list_connector_routes`.');
export const reviewId = itemId('routing_review').describe('Id of a review, from `list_routing_reviews`.');

/**
 * The connectors that a caller sees: those of its person, or everybody's for administrators of the workspace; a key of
 * one brain sees those of that brain.
 */
export function listVisibleConnectors(db: Db, caller: Caller) {
  return listConnectorRows(db, {
    personId: caller.role === 'member' ? caller.personId : null,
    brainId: caller.reach === 'brain' ? caller.homeBrainId : null,
  });
}

async function listVisibleConnectorIds(db: Db, caller: Caller): Promise<Set<string>> {
  return new Set((await listVisibleConnectors(db, caller)).map(({ id }) => id));
}

export const connectorResource = defineResource({
  kind: 'connector',
  noun: 'connector',
  async locate(db, ids, caller) {
    const seen = await listVisibleConnectorIds(db, caller);
    return ids.filter((id) => seen.has(id)).map((id) => ({ id, brainId: null }));
  },
});

/** A route is visible to everybody who sees its connector. */
export const routeResource = defineResource({
  kind: 'connector_route',
  noun: 'route',
  async locate(db, ids, caller) {
    const seen = await listVisibleConnectorIds(db, caller);
    return (await locateRoutes(db, ids))
      .filter(({ connector_id }) => seen.has(connector_id))
      .map(({ id }) => ({ id, brainId: null }));
  },
});

/** A review is visible to everybody who may read the brain of its memory. */
export const reviewResource = defineResource({ kind: 'routing_review', noun: 'review', locate: locateReviews });
