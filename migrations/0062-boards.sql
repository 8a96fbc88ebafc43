-- Tables that people and automations fill, each in a brain.

create table boards (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  name text not null,
  description text not null default '',
  skills jsonb not null default '[]',
  dashboard jsonb not null default '{}',
  links jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index one_board_of_a_name on boards (brain_id, lower(name));
call protect('boards');

create table board_datasets (
  board_id uuid not null references boards on delete cascade,
  workspace_id uuid not null references workspaces,
  name text not null,
  -- Empty: rows may have any fields.
  columns jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (board_id, name)
);
call protect('board_datasets');

create table board_rows (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  board_id uuid not null,
  dataset text not null,
  fields jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  foreign key (board_id, dataset) references board_datasets on delete cascade
);
create index on board_rows (board_id, dataset, id);
call protect('board_rows');
