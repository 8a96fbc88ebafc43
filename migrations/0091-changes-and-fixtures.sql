-- What is wanted of an active automation and waits for a person, while the automation runs on as it is.
create table automation_changes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  automation_id uuid not null references automations on delete cascade,
  -- Its source, where that is to change.
  version_id uuid references automation_versions,
  -- The other fields, by their names.
  fields jsonb not null,
  status text not null check (status in ('pending', 'accepted', 'declined', 'replaced')),
  created_by_label text not null,
  created_at timestamptz not null,
  decided_by_label text,
  decided_at timestamptz
);
create unique index on automation_changes (automation_id) where status = 'pending';
call protect('automation_changes');

-- Runs with what their code asked for and was answered: run again without the world, to see whether the effects stay the same.
create table automation_fixtures (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  automation_id uuid not null references automations on delete cascade,
  name text not null,
  trigger_kind text not null,
  payload jsonb not null,
  -- When it was recorded: the clock of the code begins there.
  recorded_at timestamptz not null,
  calls jsonb not null,
  created_by_label text not null,
  created_at timestamptz not null,
  unique (automation_id, name)
);
call protect('automation_fixtures');

-- The source, grants and fixtures, as one hash, for which all fixtures have passed.
create table automation_passes (
  automation_id uuid not null references automations on delete cascade,
  workspace_id uuid not null references workspaces,
  hash text not null,
  passed_at timestamptz not null,
  primary key (automation_id, hash)
);
call protect('automation_passes');

alter table automation_runs
  add column llm_calls integer not null default 0,
  -- What the code of a run without effects outside asked for and was answered; null: nothing was kept.
  add column recording jsonb;
create index on automation_runs (finished_at) where recording is not null;
