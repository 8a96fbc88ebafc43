-- Where the items of a synced account were met: one table in the place of two, and of what cursors kept.
-- purpose `listed`: what a list had when it was last read to its end; what is missing from it the next time is gone.
-- purpose `met`: what a reading of a whole part came across so far; the empty reference stands for its beginning.
-- purpose `moved`: in which list an item is that may be moved to another one, such as a mail among folders.
create table item_locations (
  sync_id uuid not null references syncs on delete cascade,
  workspace_id uuid not null references workspaces,
  purpose text not null check (purpose in ('listed', 'met', 'moved')),
  list text not null,
  source_ref text not null,
  -- `listed`: when the item was changed, as far as the provider says. `met`: when it was met.
  at timestamptz,
  -- `moved`: it has left its list, in the reading with this lease; 0: before what is read now.
  left_in integer,
  primary key (sync_id, purpose, list, source_ref)
);
create index item_locations_moved on item_locations (sync_id, source_ref) where purpose = 'moved';

alter table syncs no force row level security;
alter table sync_seen no force row level security;
alter table sync_whereabouts no force row level security;

insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, at)
  select sync_id, workspace_id, 'met', part, source_ref, seen_at from sync_seen;
insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, left_in)
  select sync_id, workspace_id, 'moved', list, source_ref, case when has_left then left_in end from sync_whereabouts;
drop table sync_seen;
drop table sync_whereabouts;

-- A cursor has its places at its top, or below `inner`. Of each that knew its items, it keeps that they are known.
create function places_in(cursor jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(coalesce(cursor -> 'places', cursor #> '{inner,places}')) = 'object'
    then coalesce(cursor -> 'places', cursor #> '{inner,places}') else '{}' end
$$;
insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, at)
  select syncs.id, syncs.workspace_id, 'listed', place.key, item ->> 0, nullif(item ->> 1, '')::timestamptz
    from syncs, jsonb_each(places_in(cursor)) as place, jsonb_array_elements(place.value -> 'known') as item
   where jsonb_typeof(place.value -> 'known') = 'array'
  on conflict do nothing;
update syncs set cursor = jsonb_set(cursor, case when cursor ? 'places' then '{places}' else '{inner,places}' end::text[], (
  select jsonb_object_agg(key, case when value ? 'known' then value - 'known' || '{"is_known": true}' else value end)
    from jsonb_each(places_in(cursor))))
 where places_in(cursor) <> '{}';
drop function places_in(jsonb);

alter table syncs force row level security;
call protect('item_locations');
