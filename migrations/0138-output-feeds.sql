-- Destinations that are read instead of sent to: a feed has a token of its own and no signing secret.

alter table output_destinations drop constraint output_destinations_kind_check;
alter table output_destinations add constraint output_destinations_kind_check check (kind in ('webhook', 'feed'));
alter table output_destinations alter column secret drop not null;
alter table output_destinations add constraint webhooks_are_signed check (kind <> 'webhook' or secret is not null);
alter table output_destinations add column token_hash text unique;
-- The place of the newest delivery of a feed. It is taken in the transaction that stores the delivery, so that places become visible in
-- their order and a reader misses none.
alter table output_destinations add column last_position integer not null default 0;
call show_to_presenter('output_destinations', 'token_hash');

alter table output_deliveries add column position integer;
create unique index on output_deliveries (destination_id, position) where position is not null;

-- Deliveries whose payload goes when its days have passed: those that ended, and those in a feed that nobody read.
drop index deliveries_with_payload;
create index deliveries_with_payload on output_deliveries (created_at)
  where payload is not null and (status <> 'waiting' or position is not null);
create or replace function workspaces_with_old_deliveries(before timestamptz) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct workspace_id from output_deliveries
   where is_system() and created_at < before and payload is not null and (status <> 'waiting' or position is not null)
$$;
