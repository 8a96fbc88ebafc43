-- Recipes: what people publish to be installed, and what was installed from them and from the recipes of the server.
set local lock_timeout = '10s';

create table recipes (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  slug text not null check (length(slug) between 1 and 100),
  -- The publisher.
  person_id uuid not null references people,
  created_by text not null,
  created_at timestamptz not null,
  unique (workspace_id, slug)
);
call protect('recipes');

create table recipe_versions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  recipe_id uuid not null references recipes on delete cascade,
  version text not null check (version ~ '^\d{1,9}\.\d{1,9}\.\d{1,9}$'),
  -- Of the manifest, so that publishing the same again is seen.
  sha256 text not null,
  manifest jsonb not null,
  -- The publisher's variables that installs may send, each to one host.
  lent_secrets jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  unique (recipe_id, version)
);
create index on recipe_versions (workspace_id);
call protect('recipe_versions');

create table recipe_installs (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  -- Null: a recipe of the server.
  recipe_id uuid references recipes,
  slug text not null,
  name text not null check (length(name) between 1 and 200),
  version text not null,
  entity_kind text not null check (entity_kind in ('board', 'automation', 'workflow', 'bundle', 'integration')),
  -- What was made; of a bundle and of an integration without code the install itself.
  entity_id uuid not null,
  -- The install of the bundle that it came with.
  bundle_id uuid references recipe_installs on delete set null,
  -- In whose name it works.
  person_id uuid not null references people,
  inputs jsonb not null default '{}',
  -- The account that it uses; null: none was chosen.
  connection_id uuid references connections on delete set null,
  -- The template before rendering, its inputs and ids: an upgrade compares with it.
  base jsonb not null,
  state text not null check (state in ('needs_setup', 'active', 'paused', 'failing', 'uninstalled')),
  -- When it is read next; null: never by itself.
  next_at timestamptz,
  lease_token bigint not null default 0,
  lease_until timestamptz,
  counters jsonb not null default '{}',
  uninstalled_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'uninstalled') = (uninstalled_at is not null))
);
create unique index on recipe_installs (brain_id, slug, lower(name)) where uninstalled_at is null;
create index on recipe_installs (workspace_id, next_at) where next_at is not null;
create index on recipe_installs (entity_id);
create index on recipe_installs (recipe_id) where recipe_id is not null;
create index on recipe_installs (bundle_id) where bundle_id is not null;
create index on recipe_installs (person_id);
create index on recipe_installs (connection_id) where connection_id is not null;
create index on recipe_installs (workspace_id, uninstalled_at) where uninstalled_at is not null;
call protect('recipe_installs');

-- When it was uninstalled; null: it is there. Needs no rewrite of the tables.
alter table boards add column uninstalled_at timestamptz;
alter table automations add column uninstalled_at timestamptz;
alter table workflows add column uninstalled_at timestamptz;

-- Keys that may do everything that their person may.
alter table keys no force row level security;
update keys set scopes = scopes || array['recipes:read', 'recipes:install', 'recipes:publish', 'recipes:uninstall']
  where scopes @> array['actions:confirm', 'keys:write', 'members:write', 'boards:delete', 'automations:activate']
    and not scopes && array['recipes:read', 'recipes:install', 'recipes:publish', 'recipes:uninstall'];
alter table keys force row level security;
