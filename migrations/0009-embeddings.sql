-- Vectors of what search can find, where an embedder is set. Without one these tables stay empty.

-- Which space a workspace's vectors are made for, and up to which snapshot its texts have been looked through.
create table embedding_runs (
  workspace_id uuid primary key references workspaces,
  space text not null,
  seen pg_snapshot,
  started_at timestamptz not null,
  last_error text,
  last_error_at timestamptz
);
call protect('embedding_runs');

-- What has to be embedded. A claim is a lease: who dies with it loses it.
create table embedding_queue (
  item_id uuid primary key,
  workspace_id uuid not null references workspaces,
  -- The text it was queued for: only another one is a reason to take it from who has claimed it.
  text_hash text not null,
  queued_at timestamptz not null,
  not_before timestamptz not null,
  claim uuid,
  attempts integer not null default 0,
  last_error text
);
create index on embedding_queue (workspace_id, queued_at desc);
call protect('embedding_queue');

-- One row for each piece of a text. `code` is the vector's direction in one signed byte a number; null is a tombstone, which
-- tells indexes in memory that there is nothing any more. Rows of another space than the run's wait to be written over.
create table embeddings (
  item_id uuid not null,
  part integer not null,
  workspace_id uuid not null references workspaces,
  brain_id uuid not null references brains on delete cascade,
  space text not null,
  text_hash text not null,
  code bytea,
  changed_xact xid8 not null default pg_current_xact_id(),
  primary key (item_id, part)
);
-- Vectors do not compress; trying costs time.
alter table embeddings alter column code set storage external;
create index on embeddings (workspace_id, brain_id);
create index on embeddings (workspace_id, changed_xact);
create trigger mark_changed before update on embeddings for each row execute function mark_changed();
call protect('embeddings');
