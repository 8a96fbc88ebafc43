-- Values that agents use and never see: variables in tiers, sets of them that callers share, and links by which a
-- person brings one in. Columns named value, sealed and code_verifier hold vault text.

create table permission_sets (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  created_by uuid not null references people,
  created_at timestamptz not null
);
create unique index one_permission_set_of_a_name on permission_sets (workspace_id, lower(name));
call protect('permission_sets');

-- Who draws on a set: one set for each holder, and what kind of holder it is stands beside it.
create table permission_set_holders (
  workspace_id uuid not null references workspaces,
  holder_kind text not null check (holder_kind in ('key')),
  holder_id uuid not null,
  permission_set_id uuid not null references permission_sets on delete cascade,
  assigned_by uuid not null references people,
  assigned_at timestamptz not null,
  primary key (workspace_id, holder_kind, holder_id)
);
create index on permission_set_holders (permission_set_id);
call protect('permission_set_holders');

-- `scope_id` names whatever holds it: the workspace for `org`. The column of its own kind lets it go with its holder.
create table variables (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  scope text not null check (scope in ('org', 'brain', 'agent', 'permission_set', 'person')),
  scope_id uuid not null,
  brain_id uuid references brains on delete cascade,
  key_id uuid references keys on delete cascade,
  permission_set_id uuid references permission_sets on delete cascade,
  person_id uuid references people on delete cascade,
  name text not null check (name ~ '^[A-Za-z0-9_]+$'),
  value text not null,
  handle text not null,
  description text not null,
  placements text[] not null,
  hosts text[] not null,
  set_by uuid not null references people,
  set_by_label text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (workspace_id, scope, scope_id, name),
  unique (workspace_id, handle),
  check (num_nonnulls(brain_id, key_id, permission_set_id, person_id) = (scope <> 'org')::int),
  check (coalesce(brain_id, key_id, permission_set_id, person_id, workspace_id) = scope_id)
);
create index on variables (brain_id, id) where brain_id is not null;
create index on variables (key_id) where key_id is not null;
create index on variables (permission_set_id) where permission_set_id is not null;
create index on variables (person_id) where person_id is not null;
call protect('variables');

-- A link by which a person gives values, without signing in: its token is the authority, and is used once.
create table variable_links (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  token_hash text not null unique,
  scope text not null,
  scope_id uuid not null,
  brain_id uuid references brains on delete cascade,
  label text not null,
  fields jsonb not null,
  consent jsonb,
  created_by uuid not null references people,
  created_by_label text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on variable_links (expires_at);
call protect('variable_links');
call show_to_presenter('variable_links', 'token_hash');

-- A consent under way: of a link that also derives variables, or of a person at the playground. `bound_hash` is of the
-- browser that began it, which alone can finish it.
create table variable_consents (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  link_id uuid references variable_links on delete cascade,
  person_id uuid references people,
  state_hash text unique,
  bound_hash text not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on variable_consents (expires_at);
call protect('variable_consents');
call show_to_presenter('variable_consents', 'state_hash');

-- Permissions that are new, for keys that had all there were and for those made for agents. The table's own owner is
-- let past row level security for this statement alone.
alter table keys no force row level security;
update keys set scopes = scopes || array['variables:read', 'variables:write']
  where scopes @> array['connections:read', 'connections:write', 'integrations:fetch', 'actions:draft', 'brains:write']
    and not scopes && array['variables:read', 'variables:write'];
alter table keys force row level security;
