-- Passes are bound to a version by its id, and nothing compared the hashes.

alter table webhook_versions drop column content_hash;
alter table webhook_passes drop column content_hash;

-- What is removed when its days have passed: rows of requests that were not taken, and the contents of all others.
drop index webhook_events_received_at_idx;
create index webhook_events_with_content on webhook_events (received_at)
  where body is not null or headers <> '{}' or query <> '{}';
create index webhook_events_not_taken on webhook_events (received_at) where outcome in ('refused', 'signature_failed');
