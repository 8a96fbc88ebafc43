-- Archives that move brains between servers, while they are received and stored.

-- An import moves its ids by a number that nobody knows beforehand, so that no archive can name a row that is here already. Exports
-- move them back. In milliseconds, as the first part of a UUIDv7 has them.
alter table brains add column archive_shift bigint not null default 0;

create function shift_id(id uuid, milliseconds bigint) returns uuid language sql immutable strict parallel safe return
  case when milliseconds = 0 then id else (
    lpad(to_hex((('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint + milliseconds) & 281474976710655), 12, '0')
    || substr(replace(id::text, '-', ''), 13))::uuid end;

create table archive_imports (
  id uuid primary key,
  workspace_id uuid not null references workspaces,
  person_id uuid not null references people on delete cascade,
  -- What the client says the file is, so that it can go on after a break.
  sha256 text not null,
  lines integer not null,
  received integer not null default 0,
  -- New brains go below `parent_brain_id`; with `into_brain_id` there is none.
  parent_brain_id uuid references brains on delete cascade,
  into_brain_id uuid references brains on delete cascade,
  shift bigint not null,
  created_at timestamptz not null,
  stored_at timestamptz,
  brain_ids uuid[] not null default '{}'
);
create index on archive_imports (workspace_id, person_id, sha256);
create index on archive_imports (parent_brain_id) where parent_brain_id is not null;
create index on archive_imports (into_brain_id) where into_brain_id is not null;
call protect('archive_imports');

create table archive_lines (
  import_id uuid not null references archive_imports on delete cascade,
  line integer not null,
  workspace_id uuid not null references workspaces,
  kind text not null,
  -- Which brain of the archive it belongs to, from 1 on.
  brain integer not null,
  data jsonb not null,
  primary key (import_id, line)
);
create index on archive_lines (import_id, kind, line);
call protect('archive_lines');
