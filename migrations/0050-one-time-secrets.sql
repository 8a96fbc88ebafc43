-- Secrets that work once, in one table: links that sign in, links for values, codes for phones, states of consents, questions about
-- drafts. What each opens is the row with the id `subject_id`.
create table one_time_secrets (
  subject_id uuid primary key,
  workspace_id uuid not null references workspaces,
  purpose text not null,
  secret_hash text not null unique,
  -- Of what only the one who may use it also knows, such as their browser's session; null: whoever has the secret may.
  bound_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on one_time_secrets (workspace_id, expires_at);

-- The owner of the tables moves what there is past row level security.
alter table sign_in_links no force row level security;
alter table variable_links no force row level security;
alter table telegram_links no force row level security;
insert into one_time_secrets
  select id, workspace_id, 'sign_in_link', token_hash, null, created_at, expires_at, used_at from sign_in_links
  union all
  select id, workspace_id, 'variable_link', token_hash, null, created_at, expires_at, used_at from variable_links
  union all
  select id, workspace_id, 'telegram_code', code_hash, encode(sha256(convert_to(connection_id::text, 'utf8')), 'hex'),
      created_at, code_expires_at, null
    from telegram_links where code_hash is not null and code_expires_at is not null;
alter table sign_in_links force row level security;
alter table variable_links force row level security;
alter table telegram_links force row level security;

drop policy presented on sign_in_links;
drop policy presented on variable_links;
alter table sign_in_links drop column token_hash, drop column expires_at, drop column used_at,
  add foreign key (id) references one_time_secrets on delete cascade;
alter table variable_links drop column token_hash, drop column expires_at, drop column used_at,
  add foreign key (id) references one_time_secrets on delete cascade;
alter table telegram_links drop column code_hash, drop column code_expires_at;
-- A question lives as long as the call that asks it.
alter table drafts drop column question_hash;

call protect('one_time_secrets');
call show_to_presenter('one_time_secrets', 'secret_hash');

-- Consents under way, for whatever they are asked. They live for minutes, and what they keep is sealed for its table: those that are
-- open now are begun again.
create table consents (
  id uuid primary key references one_time_secrets on delete cascade,
  workspace_id uuid not null references workspaces,
  kind text not null check (kind in ('account', 'sign_in', 'bundle', 'playground', 'playground_result')),
  link_id uuid references variable_links on delete cascade,
  sealed text not null
);
create index on consents (workspace_id, kind);
create index on consents (link_id) where link_id is not null;
call protect('consents');
call forget_with('consents', 'sealed', 'id', 'once');

-- By deletion, so that a vault outside is told to forget what they kept.
alter table oauth_states no force row level security;
alter table sign_in_consents no force row level security;
alter table variable_consents no force row level security;
alter table secrets_to_forget no force row level security;
delete from oauth_states;
delete from sign_in_consents;
delete from variable_consents;
alter table secrets_to_forget force row level security;
drop table oauth_states, sign_in_consents, variable_consents;
