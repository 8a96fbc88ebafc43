-- How identities sign in: passwords, passkeys, one-time codes, and accounts at providers.
create table authenticators (
  id uuid primary key,
  identity_id uuid not null references identities on delete cascade,
  kind text not null check (kind in ('password', 'passkey', 'totp', 'provider')),
  label text not null,
  -- Of what is presented to sign in: the id of a passkey, or the issuer and subject of an account.
  lookup_hash text unique,
  -- A password's argon2id hash; a passkey's public key and counter; the counter of the last one-time code; an account's provider.
  data jsonb not null,
  created_at timestamptz not null,
  -- Null: it was begun, and does not count yet.
  confirmed_at timestamptz,
  last_used_at timestamptz
);
create index on authenticators (identity_id);
create unique index one_of_a_kind on authenticators (identity_id, kind) where kind in ('password', 'totp');
call protect_identity('authenticators', 'identity_id', 'lookup_hash');

create table recovery_codes (
  identity_id uuid not null references identities on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (identity_id, code_hash)
);
call protect_identity('recovery_codes', 'identity_id');

-- Secrets of one-time codes, sealed in the first workspace of the server.
create table totp_secrets (
  id uuid primary key references authenticators on delete cascade,
  workspace_id uuid not null references workspaces,
  sealed text not null
);
call protect('totp_secrets');
call forget_with('totp_secrets', 'sealed', 'id', 'once');

-- Who has given a password or opened a mailed link, and still has to give a one-time code.
create table pending_sign_ins (
  id uuid primary key references one_time_secrets on delete cascade,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  method text not null
);
call protect('pending_sign_ins');

-- Failed attempts to sign in, by the hash of an address, an identity or a client; seen by whoever presents it.
create table sign_in_attempts (
  subject_hash text primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz
);
create index on sign_in_attempts (last_at);
alter table sign_in_attempts enable row level security;
alter table sign_in_attempts force row level security;
create policy of_subject on sign_in_attempts using (is_presented(subject_hash));
-- The server removes those that are a day old.
create policy old_for_system on sign_in_attempts for delete
  using (current_setting('thalamus.system', true) = 'on' and last_at < now() - interval '1 day');
create policy old_seen_by_system on sign_in_attempts for select
  using (current_setting('thalamus.system', true) = 'on' and last_at < now() - interval '1 day');
