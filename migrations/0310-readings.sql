-- Readings of declarative integrations: when an install was read, and why a reading failed.
set local lock_timeout = '10s';
alter table recipe_installs
  add column read_at timestamptz,
  -- Why the last reading failed, when, and how often that was in a row.
  add column failure text,
  add column failed_at timestamptz,
  add column failures integer not null default 0;
create index due_recipe_installs on recipe_installs (next_at) where next_at is not null;
call show_to_rounds('recipe_installs');

create function list_due_recipe_installs(most integer) returns table (workspace_id uuid, install_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select workspace_id, id from recipe_installs
   where is_system() and next_at <= now() and state in ('active', 'failing')
     and (lease_until is null or lease_until < now())
   order by next_at limit most
$$;
