// Queues deliveries of a stored event along approved routes, in the transaction that stored it.
import type { Db } from '#kernel/database';
import type { ArrivedEvent } from '#modules/webhooks';
import { mayReceive } from './check-route.ts';
import { insertDelivery } from './store/deliveries.ts';
import { listRoutesFromConnector } from './store/destinations.ts';
import { takeNextPosition } from './store/feeds.ts';
import type { RouteRow } from './store/tables.ts';

type PassOnDeps = { now: () => Date; newId: () => string };
type Document = ArrivedEvent['documents'][number];

/** Queues a delivery for each route whose filters match one of the documents. Returns whether there is one. */
export async function passOn(
  { now, newId }: PassOnDeps,
  db: Db,
  { connector, event, documents }: ArrivedEvent,
): Promise<boolean> {
  let isQueued = false;
  for (const route of await listRoutesFromConnector(db, connector.id)) {
    const taken = documents.filter((each) => isRouteMatching(route, each));
    if (!taken.length || !(await mayReceive(db, { person_id: route.receiver_id }, connector))) continue;
    const at = now();
    const { contentType, body } = buildPayload(route, { connector, event, documents: taken }, at);
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
      position: route.destination_kind === 'feed' ? await takeNextPosition(db, route.destination_id) : null,
    });
    isQueued = true;
  }
  return isQueued;
}

/** Matches the exact type and every tag. */
function isRouteMatching({ type_filter, tag_filter }: RouteRow, { row }: Document): boolean {
  return (type_filter === null || row.type === type_filter) && tag_filter.every((tag) => row.tags.includes(tag));
}

function buildPayload({ format }: RouteRow, { connector, event, documents }: ArrivedEvent, at: Date) {
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
