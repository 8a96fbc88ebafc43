-- What is read through a link into one dataset of its board, by hand or on a schedule.
set local lock_timeout = '10s';
create table dataset_recipes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  link_id uuid not null references board_links on delete cascade,
  board_id uuid not null references boards on delete cascade,
  dataset text not null check (length(dataset) between 1 and 100),
  adapter_op text not null check (length(adapter_op) between 1 and 100),
  params jsonb not null,
  -- Null: it is refreshed by hand.
  refresh_cron text,
  dedupe_key_field text,
  dedupe_target_field text,
  status text not null check (status in ('waiting', 'failing', 'stopped')),
  -- Null: it is due at no time.
  next_at timestamptz,
  -- When the rows were read, and how many there are.
  refreshed_at timestamptz,
  row_count integer not null default 0,
  -- Why the last refresh failed, when, and how often that was in a row.
  failure text,
  failed_at timestamptz,
  failures integer not null default 0,
  -- Who refreshes now: the token is fenced, the lease is renewed while rows are read.
  lease_token bigint not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  unique (board_id, dataset)
);
create index on dataset_recipes (link_id);
create index due_dataset_recipes on dataset_recipes (next_at) where next_at is not null;
call protect('dataset_recipes');
call show_to_rounds('dataset_recipes');

create function list_due_dataset_recipes(most integer) returns table (workspace_id uuid, recipe_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select workspace_id, id from dataset_recipes
   where is_system() and next_at <= now() and (lease_until is null or lease_until < now())
   order by next_at limit most
$$;
