-- Forms through which people without an account add rows to a board, and what was sent through them.
set local lock_timeout = '10s';
create table board_forms (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  board_id uuid not null references boards on delete cascade,
  dataset text not null check (length(dataset) between 1 and 100),
  title text not null check (length(title) between 1 and 200),
  intro text not null,
  -- The columns that a sender fills, in their order.
  columns text[] not null,
  -- Senders may write a text, which a language model sorts into the columns.
  free_text boolean not null,
  -- Of the secret in its address.
  token_hash text not null unique,
  -- In whose name rows are written, and at whose cost texts are sorted.
  person_id uuid not null references people,
  created_by text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  entry_count integer not null default 0,
  last_entry_at timestamptz,
  -- The day (UTC) on which texts were last sorted, and how many.
  sorted_on date,
  sorted_count integer not null default 0
);
create index on board_forms (board_id);
create index on board_forms (person_id);
call protect('board_forms');
call hide_of_uninstalled_boards('board_forms');
call show_to_presenter('board_forms', 'token_hash');

-- The nonce is of the page that was sent: a page that is sent twice is stored once.
create table board_form_entries (
  form_id uuid not null references board_forms on delete cascade,
  nonce text not null check (length(nonce) between 1 and 100),
  workspace_id uuid not null references workspaces,
  row_id text not null,
  created_at timestamptz not null,
  primary key (form_id, nonce)
);
call protect('board_form_entries');

-- Keys that may do everything that their person may.
alter table keys no force row level security;
update keys set scopes = scopes || array['boards:share']
  where scopes @> array['actions:confirm', 'keys:write', 'members:write', 'boards:delete', 'automations:activate']
    and not scopes && array['boards:share'];
alter table keys force row level security;
