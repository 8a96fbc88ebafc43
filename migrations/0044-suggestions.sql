-- Core knowledge and skills that an agent wants, until a person accepts or declines them.
create table suggestions (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  change text not null,
  -- What it would change; null for what is in no brain, and for a skill that is new.
  brain_id uuid references brains on delete cascade,
  skill_id uuid references skills on delete cascade,
  input jsonb not null,
  -- What stood there when it was made: it is accepted only while that stands.
  replaces text,
  suggested_by uuid not null references people,
  suggested_by_label text not null,
  key_id uuid references keys,
  created_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'declined')),
  decided_by uuid references people,
  decided_by_label text,
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
create index on suggestions (workspace_id, state, created_at);
create index on suggestions (brain_id) where brain_id is not null;
create index on suggestions (skill_id) where skill_id is not null;
call protect('suggestions');
