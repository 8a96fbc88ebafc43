-- Workspaces, the people in them, and the credentials they and their agents present.

do $$ begin
  create role thalamus_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant thalamus_app to current_user;
grant usage on schema public to thalamus_app;
alter default privileges in schema public grant select, insert, update, delete on tables to thalamus_app;
alter default privileges in schema public grant usage, select on sequences to thalamus_app;

-- The workspace the transaction is bound to; null shows nothing.
create function current_workspace() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('thalamus.workspace_id', true), '')::uuid $$;

-- Binds every row of a table to its workspace, for the owner of the table too.
create procedure protect(target regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy one_workspace on %s using (workspace_id = current_workspace())', target);
end $$;

-- Shows a credential's row to whoever presents the credential, before the workspace is known.
create procedure show_to_presenter(target regclass, hash_column name) language plpgsql as $$
begin
  execute format(
    'create policy presented on %s for select using (%I = current_setting(''thalamus.presented_hash'', true))', target, hash_column);
end $$;

create table workspaces (
  id uuid primary key,
  name text not null,
  plan text not null default 'selfhost',
  created_at timestamptz not null
);
alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy one_workspace on workspaces using (id = current_workspace());
create policy listed_by_system on workspaces for select using (current_setting('thalamus.system', true) = 'on');

create table people (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  unique (workspace_id, email)
);
call protect('people');

create table sign_in_links (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people,
  token_hash text not null unique,
  is_human_surface boolean not null,
  mailed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
call protect('sign_in_links');
call show_to_presenter('sign_in_links', 'token_hash');

create table sessions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people,
  token_hash text not null unique,
  is_human_surface boolean not null,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
call protect('sessions');
call show_to_presenter('sessions', 'token_hash');

create table keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people,
  label text not null,
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  home_brain_id uuid not null,
  reach text not null check (reach in ('owner', 'brain')),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index on keys (workspace_id, prefix);
call protect('keys');
call show_to_presenter('keys', 'key_hash');

-- Counts of a passing minute: losing them in a crash costs nothing.
create unlogged table rate_limits (
  workspace_id uuid not null,
  caller_id uuid not null,
  window_start timestamptz not null,
  used integer not null,
  primary key (workspace_id, caller_id)
);
call protect('rate_limits');

create table kept_answers (
  workspace_id uuid not null references workspaces,
  caller_id uuid not null,
  operation text not null,
  key text not null,
  request_hash text not null,
  output jsonb,
  created_at timestamptz not null,
  primary key (workspace_id, caller_id, operation, key)
);
create index on kept_answers (created_at);
call protect('kept_answers');
