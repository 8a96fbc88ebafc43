// Queues deliveries of a stored event along approved routes, in the transaction that stored it.
import type { Db } from '#kernel/database';
import type { Arrived } from '#modules/webhooks';
import { mayReceive } from './route-holds.ts';
import { insertDelivery } from './store/deliveries.ts';
import { routesFrom } from './store/destinations.ts';
import { nextPosition } from './store/feeds.ts';
import type { RouteRow } from './store/tables.ts';

type Doors = { now: () => Date; newId: () => string };
type Document = Arrived['documents'][number];

/** Queues a delivery for each route whose filters match one of the documents. Answers whether there is one. */
export async function passOn(
  { now, newId }: Doors,
  db: Db,
  { connector, event, documents }: Arrived,
): Promise<boolean> {
  let isQueued = false;
  for (const route of await routesFrom(db, connector.id)) {
    const taken = documents.filter((each) => fits(route, each));
    if (!taken.length || !(await mayReceive(db, { person_id: route.receiver_id }, connector))) continue;
    const at = now();
    const { contentType, body } = payloadOf(route, { connector, event, documents: taken }, at);
    await insertDelivery(db, {
      id: newId(),
      workspace_id: route.workspace_id,
      route_id: route.id,
      destination_id: route.destination_id,
      event_id: event.id,
      content_type: contentType,
      payload: body,
      payload_bytes: body.length,
      document_count: taken.length,
      created_at: at,
      position: route.destination_kind === 'feed' ? await nextPosition(db, route.destination_id) : null,
    });
    isQueued = true;
  }
  return isQueued;
}

/** Matches the exact type and every tag. */
function fits({ type_filter, tag_filter }: RouteRow, { row }: Document): boolean {
  return (type_filter === null || row.type === type_filter) && tag_filter.every((tag) => row.tags.includes(tag));
}

function payloadOf({ format }: RouteRow, { connector, event, documents }: Arrived, at: Date) {
  if (format === 'raw_payload')
    return { contentType: event.content_type ?? 'text/plain', body: event.body ?? Buffer.alloc(0) };
  const data = {
    webhook_connector_id: connector.id,
    connector_name: connector.name,
    webhook_event_id: event.id,
    event_type: event.event_type,
    received_at: event.received_at.toISOString(),
    documents: documents.map(({ row, document }) => ({
      id: row.id,
      brain_id: row.brain_id,
      action: row.action,
      content: document.content,
      source_id: row.source_id,
      source_channel: document.source_channel ?? null,
      source_user: document.source_user ?? null,
      type: row.type,
      tags: row.tags,
      metadata: document.metadata ?? {},
    })),
  };
  const message = { type: 'webhook.documents', timestamp: at.toISOString(), data };
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(message)) };
}
