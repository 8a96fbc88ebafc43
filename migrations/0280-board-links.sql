-- What a board points at in a service, and the account through which it is read; without one it is read as anybody may.
set local lock_timeout = '10s';
create table board_links (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  board_id uuid not null references boards on delete cascade,
  kind text not null check (length(kind) between 1 and 100),
  ref jsonb not null,
  display_name text not null check (length(display_name) between 1 and 200),
  -- Null: it is read without an account.
  connection_id uuid references connections on delete cascade,
  -- Whose account it is; null: that of the workspace, or none.
  account_person_id uuid references people,
  -- In whose name it is read: rows are written as this person may write.
  person_id uuid not null references people,
  created_by text not null,
  created_at timestamptz not null,
  -- When reading ended for good, and why: a person left.
  ended_at timestamptz,
  end_reason text
);
create index on board_links (board_id);
create index on board_links (connection_id) where connection_id is not null;
create index on board_links (person_id);
create index on board_links (account_person_id) where account_person_id is not null;
call protect('board_links');
