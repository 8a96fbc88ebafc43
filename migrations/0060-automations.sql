-- Programs that run by themselves: what they are, the versions of their source, and every run.

create table automations (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- In whose name it runs.
  person_id uuid not null references people,
  -- Where it writes unless told otherwise; null: the person's own brain.
  brain_id uuid references brains on delete set null,
  name text not null,
  description text not null default '',
  intent text not null default '',
  state text not null check (state in ('active', 'paused', 'killed')),
  active_version_id uuid not null,
  triggers jsonb not null,
  tool_grants jsonb not null,
  write_policy text not null check (write_policy in ('always_draft', 'auto_confirm_safe')),
  cost_cap_daily_usd double precision not null,
  max_wall_seconds integer not null,
  max_llm_tokens integer not null,
  model text not null,
  -- What happens when it is due while it runs.
  overlap text not null check (overlap in ('skip', 'queue', 'parallel')),
  max_retries integer not null,
  writes_to_boards uuid[] not null default '{}',
  dedupe_key_field text,
  dedupe_target_field text,
  coexistence_note text,
  -- The next time of any of its schedules; null while there is none.
  next_run_at timestamptz,
  -- By the secret of its address it is started from outside.
  webhook_hash text unique,
  created_by_label text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index on automations (workspace_id, person_id, name) where state <> 'killed';
create index on automations (next_run_at) where state = 'active';
create index on automations (brain_id);
call protect('automations');
create policy listed_by_system on automations for select using (current_setting('thalamus.system', true) = 'on');
call show_to_presenter('automations', 'webhook_hash');

create table automation_versions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  automation_id uuid not null references automations on delete cascade,
  version integer not null,
  source text not null,
  created_by_label text not null,
  created_at timestamptz not null,
  unique (automation_id, version)
);
call protect('automation_versions');
revoke update on automation_versions from thalamus_app;

-- Hosts that a person acknowledged, apart from the grants, so that they are easily seen.
create table automation_http_fetch_hosts (
  automation_id uuid not null references automations on delete cascade,
  workspace_id uuid not null references workspaces,
  host text not null,
  primary key (automation_id, host)
);
call protect('automation_http_fetch_hosts');

create table automation_runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  automation_id uuid not null references automations on delete cascade,
  version_id uuid not null references automation_versions,
  person_id uuid not null references people,
  trigger_kind text not null,
  payload jsonb not null default 'null',
  -- One run for each slot of a schedule, event or request.
  slot text not null,
  mode text not null check (mode in ('live', 'dry_run', 'verify')),
  -- Frozen when it was asked for: what it may call, and what whoever started it may do.
  grants jsonb not null,
  starter jsonb,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'killed')),
  attempt integer not null default 1,
  due_at timestamptz not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- Whether its code has asked for anything: until then it can be begun again without harm.
  has_called boolean not null default false,
  stop_requested text,
  stdout text not null default '',
  stderr text not null default '',
  result jsonb,
  error jsonb,
  kill_reason text,
  exit_code integer,
  duration_ms integer,
  cost_micro_usd bigint not null default 0,
  llm_tokens bigint not null default 0,
  -- Held for model calls under way.
  reserved_micro_usd bigint not null default 0,
  reserved_tokens bigint not null default 0,
  replay_of uuid,
  lease_token bigint not null default 0,
  lease_until timestamptz,
  unique (automation_id, slot)
);
create index on automation_runs (due_at) where status = 'queued';
create index on automation_runs (lease_until) where status = 'running';
create index on automation_runs (automation_id, created_at desc);
create index on automation_runs (person_id) where status = 'running';
call protect('automation_runs');
create policy listed_by_system on automation_runs for select using (current_setting('thalamus.system', true) = 'on');

create table automation_kv (
  automation_id uuid not null references automations on delete cascade,
  workspace_id uuid not null references workspaces,
  key text not null,
  value jsonb not null,
  updated_at timestamptz not null,
  primary key (automation_id, key)
);
call protect('automation_kv');

-- Runs of an automation that may not overlap: the database itself lets no two of them run at once.
alter table automation_runs add column is_serial boolean not null default true;
create unique index on automation_runs (automation_id) where status = 'running' and is_serial;
create index on automation_runs (workspace_id, person_id, due_at) where status = 'queued';
