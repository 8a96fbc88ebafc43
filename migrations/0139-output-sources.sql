-- Routes carry events of the product, too: of one brain, of drafts, of runs.

alter table output_routes drop constraint output_routes_source_kind_check;
alter table output_routes add constraint output_routes_source_kind_check
  check (source_kind in ('webhook_connector', 'brain', 'drafts', 'runs'));
alter table output_routes alter column source_id drop not null;
alter table output_routes add column brain_id uuid references brains on delete cascade;
alter table output_routes add constraint source_is_of_its_kind check (
  (source_kind = 'webhook_connector') = (source_id is not null) and (source_kind = 'brain') = (brain_id is not null)
);
-- Asked with every event that a route may be for.
create index on output_routes (workspace_id, source_kind) where state = 'active' and source_kind <> 'webhook_connector';
create index on output_routes (brain_id) where brain_id is not null;
