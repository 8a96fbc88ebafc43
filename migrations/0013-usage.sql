-- What was asked of language models, and what it cost. A row is begun before the question leaves and finished after the
-- answer: one that stays `running` tells of a process that died in between.

create table llm_usage (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null,
  -- Which part of the product asked; a closed list in src/modules/usage/tags.ts.
  tag text not null,
  provider text not null,
  model text not null,
  -- Null: the provider did not say. Input holds what was read from its cache and what was written to it.
  input_tokens bigint,
  cached_input_tokens bigint,
  output_tokens bigint,
  -- Millionths of a US dollar; null: the price or the tokens are not known.
  cost_micro_usd bigint,
  outcome text not null default 'running' check (outcome in ('running', 'ok', 'failed', 'cancelled')),
  failure text,
  request_id text not null,
  started_at timestamptz not null,
  duration_ms integer
);
create index on llm_usage (workspace_id, started_at desc, id desc);
create index on llm_usage (workspace_id, person_id, started_at desc, id desc);
-- Overviews add up by day: without this PostgreSQL expects as many days as rows, and sorts them all on disk.
create statistics llm_usage_days on ((started_at at time zone 'utc')::date) from llm_usage;
call protect('llm_usage');

-- Keys that may do all that an agent may, made before there was this scope.
alter table keys no force row level security;
update keys set scopes = scopes || array['usage:read']
  where scopes @> array['memory:read', 'memory:write', 'brains:read', 'brains:write', 'pages:read', 'integrations:read',
      'integrations:fetch', 'connections:read', 'connections:write', 'actions:read', 'actions:draft']
    and not scopes && array['usage:read'];
alter table keys force row level security;
