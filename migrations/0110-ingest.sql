-- Knowledge that arrives by itself: connectors and their tokens, where items go, and what people decided about that.

create table connectors (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Whose it is. Their roles on brains are the most that it may write.
  person_id uuid not null references people on delete cascade,
  name text not null,
  source text not null,
  kind text not null check (kind in ('personal', 'shared', 'mcp_server')),
  brain_id uuid not null references brains on delete cascade,
  config jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on connectors (workspace_id, created_at desc);
call protect('connectors');

-- The token of a connector, by its hash.
create table webhook_tokens (
  id uuid primary key references connectors on delete cascade,
  workspace_id uuid not null references workspaces,
  token_hash text not null unique,
  prefix text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
call protect('webhook_tokens');
call show_to_presenter('webhook_tokens', 'token_hash');

create table connector_routes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  connector_id uuid not null references connectors on delete cascade,
  signal_type text not null check (signal_type in ('sender', 'channel', 'keyword', 'domain')),
  signal_value text not null,
  target_brain_id uuid not null references brains on delete cascade,
  created_at timestamptz not null
);
create unique index one_route_of_a_signal on connector_routes (connector_id, signal_type, lower(signal_value));
call protect('connector_routes');

-- A shared connector stores in nobody's name. `source_id` is the sender's own id of an item, or of its mail thread.
alter table memories alter column stored_by drop not null;
alter table memories alter column stored_by_label drop not null;
alter table memories add column source_id text;
create index memories_by_source_id on memories (workspace_id, source_id) where source_id is not null;

-- Items that were placed without certainty, until a person keeps or moves them.
create table routing_reviews (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  memory_id uuid not null references memories on delete cascade,
  connector_id uuid references connectors on delete set null,
  sender text,
  channel text,
  method text not null,
  confidence double precision not null,
  -- Brains that were considered, best first, each with its score.
  candidates jsonb not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references people on delete set null,
  outcome text check (outcome in ('kept', 'moved'))
);
create index on routing_reviews (workspace_id, created_at desc) where decided_at is null;
create index on routing_reviews (memory_id);
call protect('routing_reviews');

-- What people's decisions taught the router.
create table routing_lessons (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  sender text,
  channel text,
  stems text[] not null,
  created_at timestamptz not null
);
create index on routing_lessons (workspace_id, brain_id, created_at desc);
call protect('routing_lessons');
