-- Files that somebody else than a page holds, such as a draft that is to be sent with them: what is told of each. The bytes are
-- kept once for the workspace, wherever they came from; whoever holds a file lets go of it.

create table held_files (
  holder_id uuid not null,
  position integer not null,
  workspace_id uuid not null references workspaces,
  filename text not null,
  mime_type text not null,
  size bigint not null,
  sha256 bytea not null,
  primary key (holder_id, position),
  foreign key (workspace_id, sha256) references attachment_contents (workspace_id, sha256)
);
create index on held_files (workspace_id, sha256);
call protect('held_files');
