-- Sources that are kept in step with a brain: what is read, how far reading has come, and how it went.

create table syncs (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  connection_id uuid not null references connections on delete cascade,
  source text not null,
  brain_id uuid not null references brains on delete cascade,
  -- In whose name it is stored: a sync may write what this person may write.
  person_id uuid not null references people,
  every_minutes integer not null check (every_minutes between 1 and 10080),
  -- How far back the first reading goes; null: everything.
  days integer,
  -- Where reading goes on, in the source's own terms; null: at the beginning.
  cursor jsonb,
  status text not null check (status in ('waiting', 'running', 'failing', 'stopped')),
  next_at timestamptz not null,
  -- Of the reading under way, or of the last one.
  started_at timestamptz,
  finished_at timestamptz,
  items_done integer not null default 0,
  items_total integer,
  pages_changed integer not null default 0,
  errors jsonb not null default '[]',
  -- Why it stopped, and how often it has in a row.
  failure text,
  failures integer not null default 0,
  -- Who reads now: the token is fenced, the lease is renewed with every batch.
  lease_token bigint not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  unique (connection_id, source, brain_id)
);
create index on syncs (workspace_id, next_at) where status <> 'stopped';
create index on syncs (brain_id);
call protect('syncs');
