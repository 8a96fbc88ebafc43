-- Where events go on to: destinations, the routes that people allowed, and every delivery with its attempts.

create table output_destinations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  name text not null,
  kind text not null check (kind in ('webhook')),
  url text not null,
  -- Of its own; values may be handles, whose variables are named beside them.
  headers jsonb not null,
  variables jsonb not null,
  secret text not null,
  -- Signs too, until then, so that a receiver can change over.
  previous_secret text,
  previous_until timestamptz,
  state text not null check (state in ('active', 'paused', 'gone', 'deleted')),
  failing_since timestamptz,
  half_told boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on output_destinations (workspace_id, created_at desc);
call protect('output_destinations');
create policy listed_by_system on output_destinations for select using (current_setting('thalamus.system', true) = 'on');
call forget_with('output_destinations', 'secret', 'id', 'once');
call forget_with('output_destinations', 'previous_secret', 'id', 'once');

create table output_routes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  source_kind text not null check (source_kind in ('webhook_connector')),
  source_id uuid not null references webhook_connectors on delete cascade,
  destination_id uuid not null references output_destinations on delete cascade,
  format text not null check (format in ('translated_docs', 'raw_payload')),
  type_filter text,
  tag_filter text[] not null,
  -- `waiting`: nobody has approved it yet.
  state text not null check (state in ('waiting', 'active', 'detached')),
  created_at timestamptz not null
);
create index on output_routes (source_id) where state = 'active';
create index on output_routes (destination_id);
call protect('output_routes');

create table output_deliveries (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  route_id uuid not null references output_routes on delete cascade,
  destination_id uuid not null references output_destinations on delete cascade,
  event_id uuid not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  content_type text not null,
  payload bytea,
  payload_bytes integer not null,
  document_count integer not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  http_status integer,
  error text,
  duration_ms integer,
  created_at timestamptz not null,
  delivered_at timestamptz,
  lease_token integer not null default 0,
  lease_until timestamptz,
  -- An event goes once along a route, however often it is translated.
  unique (route_id, event_id)
);
create index on output_deliveries (destination_id, next_attempt_at) where status = 'waiting';
create index on output_deliveries (destination_id, created_at desc, id desc);
create index on output_deliveries (workspace_id, created_at desc, id desc);
call protect('output_deliveries');
create policy listed_by_system on output_deliveries for select using (current_setting('thalamus.system', true) = 'on');

create table output_attempts (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  delivery_id uuid not null references output_deliveries on delete cascade,
  number integer not null,
  at timestamptz not null,
  http_status integer,
  error text,
  duration_ms integer not null,
  delivered boolean not null
);
create index on output_attempts (delivery_id, at);
call protect('output_attempts');
