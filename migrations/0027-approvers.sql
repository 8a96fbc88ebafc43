-- People whom somebody named to decide about their drafts, all or some of them, until a day or until it is withdrawn.

create table approvers (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- Whose drafts.
  person_id uuid not null references people on delete cascade,
  -- Who may decide about them.
  approver_id uuid not null references people on delete cascade,
  -- Null: all.
  sources text[],
  actions text[],
  until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check (approver_id <> person_id)
);
create index on approvers (workspace_id, approver_id) where ended_at is null;
create index on approvers (workspace_id, person_id) where ended_at is null;
call protect('approvers');

-- Permissions that are new, for keys that had all there were.
alter table keys no force row level security;
update keys set scopes = scopes || array['approvers:read', 'approvers:write']
  where scopes @> array['memory:read', 'memory:write', 'brains:read', 'brains:write', 'brains:delete', 'members:write', 'pages:read',
    'integrations:read', 'integrations:fetch', 'connections:read', 'connections:write', 'variables:read', 'variables:write',
    'actions:read', 'actions:draft', 'actions:confirm', 'keys:read', 'keys:write', 'sign_in_links:create', 'policy:write',
    'notifications:write', 'workspace:admin', 'usage:read']
    and not scopes && array['approvers:read', 'approvers:write'];
alter table keys force row level security;
