-- In which list of a service a thing was met last, where it may be moved from one to another, such as a mail among folders.
-- What has left that list, and was met in no other since, is gone when a reading comes to its end.

create table sync_whereabouts (
  sync_id uuid not null references syncs on delete cascade,
  workspace_id uuid not null references workspaces,
  source_ref text not null,
  list text not null,
  has_left boolean not null,
  primary key (sync_id, source_ref)
);
create index sync_whereabouts_left on sync_whereabouts (sync_id, source_ref) where has_left;
create index sync_whereabouts_list on sync_whereabouts (sync_id, list);
call protect('sync_whereabouts');
