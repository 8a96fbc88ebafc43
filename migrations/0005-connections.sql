-- Secrets' keys, OAuth clients, and the accounts people have linked. Secret columns hold vault text, never values.

create table data_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  wrapped bytea not null,
  root_key_id text not null,
  created_at timestamptz not null
);
call protect('data_keys');

create table provider_configs (
  workspace_id uuid not null references workspaces,
  provider text not null,
  client_id text not null,
  client_secret text not null,
  updated_by uuid not null references people,
  updated_at timestamptz not null,
  primary key (workspace_id, provider)
);
call protect('provider_configs');

create table oauth_states (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  state_hash text not null unique,
  person_id uuid not null references people,
  -- The browser session that began; another one cannot finish it.
  session_id uuid not null references sessions,
  provider text not null,
  source text not null,
  code_verifier text not null,
  return_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
call protect('oauth_states');

create table connections (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people,
  provider text not null,
  account_id text not null,
  account text not null,
  scopes text[] not null,
  status text not null check (status in ('active', 'revoked')),
  status_reason text,
  access_token text,
  access_expires_at timestamptz,
  refresh_token text,
  -- Who refreshes now: the token is fenced, the lease outlives the slowest attempt.
  lease_token bigint not null default 0,
  lease_until timestamptz,
  retry_at timestamptz,
  refresh_failures integer not null default 0,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  unique (workspace_id, person_id, provider, account_id)
);
call protect('connections');
