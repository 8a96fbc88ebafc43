-- What a sync has come across since it began to read a part of an account as a whole: what it did not, is gone there. The
-- empty reference stands for the beginning; without it the part is not watched.

create table sync_seen (
  sync_id uuid not null references syncs on delete cascade,
  workspace_id uuid not null references workspaces,
  part text not null,
  source_ref text not null,
  seen_at timestamptz not null,
  primary key (sync_id, part, source_ref)
);
call protect('sync_seen');
