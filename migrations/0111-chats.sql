-- Conversations with agents, turn by turn, as hooks of their clients send them; and the devices that these run on.

create table chat_sessions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  brain_id uuid not null references brains on delete cascade,
  -- As the client calls it.
  session_id text not null,
  client text not null,
  title text not null,
  summary text not null,
  -- Who wrote them: rules, a model, or whoever saved the session.
  titled_by text not null check (titled_by in ('rules', 'model', 'given')),
  page_id uuid references pages on delete set null,
  turns integer not null default 0,
  -- A long conversation is kept as several pages: the number of the last one, its first turn, and how long it is.
  part integer not null default 1,
  part_from integer not null default 0,
  part_length integer not null default 0,
  turns_told integer not null default 0,
  started_at timestamptz not null,
  last_turn_at timestamptz not null,
  unique (workspace_id, person_id, brain_id, session_id)
);
create index on chat_sessions (workspace_id, person_id, last_turn_at desc);
call protect('chat_sessions');

create table chat_turns (
  chat_id uuid not null references chat_sessions on delete cascade,
  position integer not null,
  workspace_id uuid not null references workspaces,
  role text not null check (role in ('user', 'assistant', 'other')),
  content text not null,
  said_at timestamptz not null,
  primary key (chat_id, position)
);
call protect('chat_turns');

-- A row: this person switched capture off.
create table chat_capture_stops (
  person_id uuid primary key references people on delete cascade,
  workspace_id uuid not null references workspaces,
  stopped_at timestamptz not null
);
call protect('chat_capture_stops');

create table client_devices (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  hostname text not null,
  client text not null,
  client_type text not null,
  plugin_version text,
  auto_update boolean,
  sections jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  unique (workspace_id, person_id, hostname, client, client_type)
);
call protect('client_devices');
