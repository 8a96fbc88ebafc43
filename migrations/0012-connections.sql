-- Accounts of a workspace beside those of a person, pasted tokens beside OAuth, and what is known of an account's health.

alter table connections no force row level security;

alter table connections
  drop constraint connections_status_check,
  drop constraint connections_workspace_id_person_id_provider_account_id_key,
  add column kind text not null default 'oauth' check (kind in ('oauth', 'token')),
  -- Of the workspace: linked by an administrator, used by every member.
  add column is_shared boolean not null default false,
  -- Where a pasted token is used and how it is sent, for providers that leave it open. No secret.
  add column settings jsonb not null default '{}',
  -- Permissions it had, and that a later answer of the provider no longer named.
  add column lost_scopes text[] not null default '{}',
  -- When the access ends whatever is done here; null when no end is known.
  add column ends_at timestamptz,
  add column last_refresh_at timestamptz,
  add column last_error text,
  add column last_error_at timestamptz,
  add column last_used_at timestamptz,
  add column last_sync_at timestamptz;

-- Until now one word stood for both: ended here by a person, and ended by the provider.
update connections set status = 'reconnect_needed'
  where status = 'revoked' and status_reason not like '%was unlinked here.';

alter table connections
  add check (status in ('active', 'reconnect_needed', 'revoked')),
  force row level security;
create unique index on connections (workspace_id, person_id, provider, account_id) where not is_shared;
create unique index on connections (workspace_id, provider, account_id) where is_shared;

-- What was asked for, which an answer without scopes means to have granted (RFC 6749 §5.1), and for whom.
alter table oauth_states
  add column scopes text[] not null default '{}',
  add column is_shared boolean not null default false;

-- A public client has no secret.
alter table provider_configs alter column client_secret drop not null;
