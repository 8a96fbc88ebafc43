// Events of the product itself, passed on along routes from a brain, from drafts or from runs.
import type { Db } from '#kernel/database';
import type { EmittedEvent, EventKind } from '#kernel/event';
import { draftCreated, draftDecided } from '#modules/actions';
import { runChanged } from '#modules/automations';
import {
  memoriesMerged,
  memoriesRestored,
  memoryArchived,
  memoryCorrected,
  memoryMoved,
  memoryStored,
} from '#modules/memory';
import { pageIngested } from '#modules/pages';
import { mayUse } from './check-route.ts';
import { insertDelivery } from './store/deliveries.ts';
import { listProductRoutes } from './store/destinations.ts';
import { takeNextPosition } from './store/feeds.ts';
import type { SourceKind } from './store/tables.ts';

/** Sources of events of the product. */
export type ProductSource = Exclude<SourceKind, 'webhook_connector'>;

/** The events of each source. They contain ids and states, and no content: a receiver reads what it may. */
export const productEvents = {
  brain: [memoryStored, memoryCorrected, memoryMoved, memoryArchived, memoriesRestored, memoriesMerged, pageIngested],
  drafts: [draftCreated, draftDecided],
  runs: [runChanged],
} as const satisfies Record<ProductSource, readonly EventKind<never>[]>;

type ProductEventDeps = { now: () => Date; newId: () => string };

/**
 * Queues a delivery of an event for each matching route from its source, once per route however often it is called. An
 * event of a person goes only to that person's destinations, and an event of a brain along routes from it.
 */
export async function passOnEvent(
  { now, newId }: ProductEventDeps,
  db: Db,
  source: ProductSource,
  event: EmittedEvent,
): Promise<void> {
  for (const route of await listProductRoutes(db, source)) {
    const isOfRoute =
      (source !== 'brain' || route.brain_id === event.brainId) &&
      (event.personId === null || event.personId === route.receiver_id) &&
      (route.type_filter === null || route.type_filter === event.name);
    if (!isOfRoute || !(await mayUse(db, route, { person_id: route.receiver_id }))) continue;
    const at = now();
    const message = { type: event.name, timestamp: at.toISOString(), data: { event_id: event.id, ...event.payload } };
    const payload = Buffer.from(JSON.stringify(message));
    await insertDelivery(db, {
      id: newId(),
      workspace_id: route.workspace_id,
      route_id: route.id,
      destination_id: route.destination_id,
      event_id: event.id,
      content_type: 'application/json',
      payload,
      payload_bytes: payload.length,
      document_count: 0,
      created_at: at,
      position: route.destination_kind === 'feed' ? await takeNextPosition(db, route.destination_id) : null,
    });
  }
}
