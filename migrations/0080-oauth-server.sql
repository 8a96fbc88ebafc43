-- Clients that people connect by OAuth: what each of them may do, its tokens, and requests that nobody has answered yet.

-- What one person allowed one installation of a client to do.
create table oauth_grants (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  person_id uuid not null references people on delete cascade,
  client_id text not null,
  -- How the client calls itself. Nobody checked it.
  client_name text not null,
  -- The host that codes are sent to; null: a program on the person's computer.
  client_host text,
  -- The host that published the client's description (its id is an address there); null: it registered itself.
  document_host text,
  scopes text[] not null,
  -- The address of this server that its tokens are for.
  resource text not null,
  home_brain_id uuid not null,
  reach text not null check (reach in ('owner', 'brain')),
  -- The toolsets that it may use; null: all.
  toolsets text[],
  created_at timestamptz not null,
  -- When it got its first tokens.
  connected_at timestamptz,
  last_used_at timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('person', 'client', 'reuse'))
);
create index on oauth_grants (workspace_id, person_id);
create index on oauth_grants (home_brain_id);
call protect('oauth_grants');

-- Codes, access tokens and refresh tokens. Only their hashes are stored.
create table oauth_tokens (
  token_hash text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  grant_id uuid not null references oauth_grants on delete cascade,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  payload jsonb not null,
  -- The refresh token that was given for this one.
  parent_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- When the answer to its use had left the server.
  answered_at timestamptz
);
create index on oauth_tokens (grant_id);
create index on oauth_tokens (parent_hash) where parent_hash is not null;
create index on oauth_tokens (workspace_id, expires_at);
call protect('oauth_tokens');
call show_to_presenter('oauth_tokens', 'token_hash');

-- Requests to connect that nobody has answered yet, and clients that registered themselves. Their workspace is not known, so a row is
-- visible only to a transaction that presents its hash. Everybody may delete what has expired, without seeing it.
create table oauth_requests (
  request_hash text primary key,
  user_code_hash text unique,
  payload jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on oauth_requests (expires_at);
create table oauth_clients (
  client_hash text primary key,
  payload jsonb not null,
  expires_at timestamptz not null
);
create index on oauth_clients (expires_at);

alter table oauth_requests enable row level security;
alter table oauth_requests force row level security;
alter table oauth_clients enable row level security;
alter table oauth_clients force row level security;
create policy presented on oauth_requests using (
  request_hash = current_setting('thalamus.presented_hash', true) or user_code_hash = current_setting('thalamus.presented_hash', true));
create policy presented on oauth_clients using (client_hash = current_setting('thalamus.presented_hash', true));
create policy expired on oauth_requests for delete using (expires_at < now());
create policy expired on oauth_clients for delete using (expires_at < now());
