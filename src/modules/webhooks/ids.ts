import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { itemId } from '#kernel/ids';
import { defineResource, type ItemLocation } from '#kernel/resource';
import { mapContentBrains, locateConnectors } from './store/connectors.ts';
import { mapEventConnectors } from './store/events.ts';
import { mapFixtureConnectors } from './store/fixtures.ts';

export const webhookConnectorId = itemId('webhook_connector').describe(
  'Id of a webhook connector, from `list_webhook_connectors`.',
);
export const webhookEventId = itemId('webhook_event').describe('Id of an event, from `list_webhook_events`.');
export const fixtureId = itemId('webhook_fixture').describe('Id of a fixture, from `list_webhook_test_fixtures`.');

export const webhookConnectorResource = defineResource({
  kind: 'webhook_connector',
  noun: 'webhook connector',
  locate: locateConnectors,
});

/** The owner of a connector, and members of its brain who see the connector, see its events. */
function withConnector(findConnectors: (db: Db, ids: readonly string[]) => Promise<Map<string, string>>) {
  return async (db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> => {
    const connectors = await findConnectors(db, ids);
    const brains = await mapContentBrains(db, [...new Set(connectors.values())], caller);
    return [...connectors].flatMap(([id, connectorId]) => {
      const brainId = brains.get(connectorId);
      return brainId === undefined ? [] : [{ id, brainId }];
    });
  };
}

export const webhookEventResource = defineResource({
  kind: 'webhook_event',
  noun: 'event',
  locate: withConnector(mapEventConnectors),
});

export const fixtureResource = defineResource({
  kind: 'webhook_fixture',
  noun: 'fixture',
  locate: withConnector(mapFixtureConnectors),
});
