-- Workflows: a goal with a charter, a roster, figures and deadlines, in a brain, with automations of its own.
set local lock_timeout = '10s';

create table workflows (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  -- The person who made it.
  person_id uuid not null references people,
  title text not null,
  charter text not null,
  roster jsonb not null default '[]',
  kpis jsonb not null default '[]',
  deadlines jsonb not null default '[]',
  state text not null check (state in ('active', 'paused', 'closed')),
  -- Counts up with every change.
  version integer not null default 1,
  closed_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on workflows (brain_id, id);
call protect('workflows');

-- The workflow that owns an automation; null: it stands alone. Needs no rewrite of the table.
alter table automations add column workflow_id uuid references workflows on delete set null;
create index on automations (workflow_id) where workflow_id is not null;

-- Keys that may do everything that their person may.
alter table keys no force row level security;
update keys set scopes = scopes || array['workflows:read', 'workflows:write']
  where scopes @> array['actions:confirm', 'keys:write', 'members:write', 'boards:delete', 'automations:activate']
    and not scopes && array['workflows:read', 'workflows:write'];
alter table keys force row level security;
