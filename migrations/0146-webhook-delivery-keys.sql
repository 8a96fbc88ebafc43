-- Whoever replays a request can put another id into a header that is not signed. So a delivery comes again only when its key does: the
-- sender's id, with the hash of the body unless the signature covers the id.

alter table webhook_events add column delivery_key text;
update webhook_events set delivery_key = delivery_id where delivery_id is not null;
drop index one_event_of_a_delivery;
create unique index one_event_of_a_delivery on webhook_events (connector_id, delivery_key)
  where delivery_key is not null and outcome not in ('signature_failed', 'refused', 'duplicate');
